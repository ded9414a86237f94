import { IconFileTypePdf } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { savedTexts as texts } from '../../../../../texts/admin/media.ts';
import { thumbnailOf } from '../../../../scenes/sized-picture.ts';
import styles from './saved-list.module.css';

type ShownProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** A saved file to look at: the film with its player, the picture, or the sign of a document. */
export function Shown({ item, video }: ShownProps) {
  return (
    <div className={styles.shown}>
      <Look item={item} video={video} />
    </div>
  );
}

function Look({ item, video }: ShownProps) {
  if (item.content_type.startsWith('video/')) return <Film item={item} video={video} />;
  if (item.content_type.startsWith('image/'))
    return <img src={thumbnailOf(item.url)} alt="" loading="lazy" />;
  return <IconFileTypePdf size={48} stroke={1.3} aria-hidden />;
}

function Film({ item: { url, nome, poster_url }, video }: ShownProps) {
  const shown = useRef(poster_url);
  useEffect(() => {
    const player = video.current;
    if (shown.current === poster_url || player === null) return;
    shown.current = poster_url;
    // A player that shows its first frame doesn't turn to a poster that comes later (WebKit), unless it begins anew.
    if (player.paused && player.currentTime === 0) player.load();
  }, [poster_url, video]);
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- a private film; nobody has written captions for it
    <video
      ref={video}
      src={url}
      poster={poster_url ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={texts.playerOf(nome)}
    />
  );
}
