import { mediaHost } from '../media-host.ts';

/** Starts loading the song once nothing else needs the network. */
export function preloadSong(url: string): void {
  if (!savesData()) setSource(mediaHost().songs[0], url);
}

/** Sets the source if it differs: setting it again would discard the buffer. */
export function setSource(element: HTMLMediaElement, url: string): void {
  if (element.getAttribute('src') === url) return;
  element.preload = 'auto';
  element.src = url;
  element.load();
}

/** Discards the data and the connection; the element keeps its permission. */
export function clearSource(element: HTMLMediaElement): void {
  element.pause();
  if (!element.hasAttribute('src')) return;
  element.removeAttribute('src');
  element.load();
}

/** Empties all elements at the end of the evening, so that nothing of the surprise stays in the page. */
export function forgetMedia(): void {
  const { video, songs } = mediaHost();
  for (const element of [video, ...songs]) clearSource(element);
}

/** Returns true if Chromium's data saver is on; false in other browsers, which don't report it. */
export function savesData(): boolean {
  return navigator.connection?.saveData === true;
}
