import { type RefObject, useEffect, useState } from 'react';
import type { MediaItem } from '../../../../../contract/admin/media-item.ts';
import { captionsTexts as texts } from '../../../../../texts/admin/captions.ts';
import { Captions } from '../../../../scenes/captions.tsx';
import { followCaptions } from '../../../../ui/captions-track.ts';
import styles from './captions.module.css';

type CaptionedFilmProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null> };

/** The film with its captions as she sees them, whoever is to see them. */
export function CaptionedFilm({ item: { nome, url, poster_url, captions }, video }: CaptionedFilmProps) {
  const [said, setSaid] = useState('');
  const address = captions?.url ?? null;
  useEffect(() => {
    if (video.current === null || address === null) return;
    return followCaptions(video.current, { url: address, always: true }, setSaid);
  }, [address, video]);
  return (
    <div className={styles.film} data-palette="night">
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- its track is added, and drawn over it */}
      <video
        ref={video}
        src={url}
        poster={poster_url ?? undefined}
        controls
        playsInline
        preload="metadata"
        aria-label={texts.player(nome)}
      />
      <div className={styles.said}>
        <Captions text={said} />
      </div>
    </div>
  );
}
