import { IconFileTypePdf } from '@tabler/icons-react';
import type { RefObject } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media.ts';
import { savedTexts as texts } from '../../../../../texts/admin/media.ts';
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

function Look({ item: { content_type, url, nome, poster_url }, video }: ShownProps) {
  if (content_type.startsWith('video/'))
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
  if (content_type.startsWith('image/')) return <img src={url} alt="" loading="lazy" />;
  return <IconFileTypePdf size={48} stroke={1.3} aria-hidden />;
}
