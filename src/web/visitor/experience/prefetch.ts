import { useEffect } from 'react';
import { currentStage, nextStage } from '../../../experience/selectors.ts';
import type { VisitActor, VisitSnapshot } from '../../../experience/visit-machine.ts';
import { coverAttributes } from '../../scenes/sized-picture.ts';
import { openFilmSource } from '../media/film-source.ts';
import { savesData } from '../media/preload.ts';
import { useSelector } from './use-selector.ts';

/**
 * Prefetches the next stage's media, so that a lost connection is not noticed: the film during the phrases before it, a picture during
 * the stage before. Tickets load with their card.
 * @param isWaiting the current stage is not shown yet, so its own media are fetched
 */
export function usePrefetch(actor: VisitActor, isWaiting: boolean): void {
  const next = useSelector(actor, isWaiting ? contentNow : nextStage);
  useEffect(() => {
    if (next?.stage === 'video') openFilmSource(next);
    if (next?.stage === 'video' && next.poster_url !== null) prefetchPicture(next.poster_url);
    if (next?.stage === 'destination') {
      const url = next.immagine_destinazione_url;
      prefetchPicture(url, coverAttributes(url));
    }
  }, [next]);
}

const contentNow = (snapshot: VisitSnapshot) => currentStage(snapshot)?.content ?? null;

/** Strong references until the evening is left, because nothing of the surprise may stay in the browser's cache. */
const pictures = new Map<string, HTMLImageElement>();

export function forgetPictures(): void {
  pictures.clear();
}

/** Fetches the tickets' pages for viewing without a network. Not decoded: twenty pages would fill a phone's memory. */
export const prefetchPages = (urls: readonly string[]) => urls.forEach((url) => fetchPicture(url));

/** @param sized size attributes, equal to those of the stage */
function prefetchPicture(url: string, sized?: { sizes: string; srcSet: string }): void {
  fetchPicture(url, sized)
    ?.decode()
    .catch(() => {});
}

function fetchPicture(url: string, sized?: { sizes: string; srcSet: string }): HTMLImageElement | undefined {
  if (savesData() || pictures.has(url)) return;
  const picture = new Image();
  pictures.set(url, picture);
  // The stage requests a failed picture again.
  picture.addEventListener('error', () => pictures.delete(url));
  if (sized) {
    picture.sizes = sized.sizes;
    picture.srcset = sized.srcSet;
  }
  picture.src = url;
  return picture;
}
