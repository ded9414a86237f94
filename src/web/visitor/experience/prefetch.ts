import { useEffect } from 'react';
import { currentStage, nextStage } from '../../../experience/selectors.ts';
import type { VisitActor, VisitSnapshot } from '../../../experience/visit-machine.ts';
import { coveringPicture } from '../../scenes/sized-picture.ts';
import { openFilmSource } from '../media/film-source.ts';
import { savesData } from '../media/preload.ts';
import { useSelector } from './use-selector.ts';

/**
 * Fetches what the next stage shows while this one is on, one file at a time, so that a lost network is not noticed:
 * the film during the phrases before it, a picture during what comes before it. The tickets come with their card.
 * @param waits the stage isn't shown yet: what it shows is fetched itself
 */
export function usePrefetch(actor: VisitActor, waits: boolean): void {
  const next = useSelector(actor, waits ? contentNow : nextStage);
  useEffect(() => {
    if (next?.stage === 'video') openFilmSource(next);
    if (next?.stage === 'video' && next.poster_url !== null) keepPicture(next.poster_url);
    if (next?.stage === 'destination') {
      const url = next.immagine_destinazione_url;
      keepPicture(url, coveringPicture(url));
    }
  }, [next]);
}

const contentNow = (snapshot: VisitSnapshot) => currentStage(snapshot)?.content ?? null;

/** Held strongly until the evening is left: nothing of the surprise may stay in the browser's cache. */
const pictures = new Map<string, HTMLImageElement>();

export function forgetPictures(): void {
  pictures.clear();
}

/** Fetches the pages of tickets, so that looking at them needs no network later. They aren't decoded: twenty would fill a phone's memory. */
export const keepPages = (urls: readonly string[]) => urls.forEach((url) => fetchPicture(url));

/** @param sized which of its sizes, told as its stage will tell it */
function keepPicture(url: string, sized?: { sizes: string; srcSet: string }): void {
  fetchPicture(url, sized)
    ?.decode()
    .catch(() => {});
}

function fetchPicture(url: string, sized?: { sizes: string; srcSet: string }): HTMLImageElement | undefined {
  if (savesData() || pictures.has(url)) return;
  const picture = new Image();
  pictures.set(url, picture);
  // A picture that can't be had now is asked for again by its stage.
  picture.addEventListener('error', () => pictures.delete(url));
  if (sized) {
    picture.sizes = sized.sizes;
    picture.srcset = sized.srcSet;
  }
  picture.src = url;
  return picture;
}
