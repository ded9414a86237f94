import { type RefObject, useEffect, useRef } from 'react';
import type { MediaItem } from '../../../../contract/admin/media.ts';

type FilmPlayerProps = { item: MediaItem; video: RefObject<HTMLVideoElement | null>; label: string };

/** Player of a stored film with its poster. */
export function FilmPlayer({ item: { url, poster_url }, video, label }: FilmPlayerProps) {
  const shown = useRef(poster_url);
  useEffect(() => {
    const player = video.current;
    if (shown.current === poster_url || player === null) return;
    shown.current = poster_url;
    // WebKit shows a later poster only after `load()`, if the first frame is already visible.
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
