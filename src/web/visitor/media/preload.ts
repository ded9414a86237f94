import { mediaHost } from '../media-host.ts';

/** Begins to load the song, while nothing else needs the network any more. */
export function preloadSong(url: string): void {
  if (!savesData()) setSource(mediaHost().songs[0], url);
}

/** The source, once: the same one again would throw the buffer away. */
export function setSource(element: HTMLMediaElement, url: string): void {
  if (element.getAttribute('src') === url) return;
  element.preload = 'auto';
  element.src = url;
  element.load();
}

/** Drops the bytes and the connection; the element and its permission stay. */
export function clearSource(element: HTMLMediaElement): void {
  element.pause();
  if (!element.hasAttribute('src')) return;
  element.removeAttribute('src');
  element.load();
}

/** At the end of the evening: nothing of the surprise stays in the page. */
export function forgetMedia(): void {
  const { video, songs } = mediaHost();
  for (const element of [video, ...songs]) clearSource(element);
}

/** Chromium's data saver; unknown elsewhere, which means no. */
export function savesData(): boolean {
  return navigator.connection?.saveData === true;
}
