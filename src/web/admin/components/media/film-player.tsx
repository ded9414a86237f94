import { type RefObject, useEffect, useRef } from 'react';
import type { MediaItem } from '../../../../contract/admin/media-item.ts';

type FilmPlayerProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null>; label: string };

/** A kept film with its poster, to be played. */
export function FilmPlayer({ item: { url, poster_url }, video, label }: FilmPlayerProps) {
  const shown = useRef(poster_url);
  useEffect(() => {
    const player = video.current;
    if (shown.current === poster_url || player === null) return;
    shown.current = poster_url;
    // A player that shows its first frame doesn't turn to a poster that comes later (WebKit), unless it begins anew.
    if (player.paused && player.currentTime === 0) player.load();
  }, [poster_url, video]);
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- where somebody has written captions they are drawn over it
    <video
      ref={video}
      src={url}
      poster={poster_url ?? undefined}
      controls
      playsInline
      preload="metadata"
      aria-label={label}
    />
  );
}
