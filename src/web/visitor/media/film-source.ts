import {
  chooseFilm,
  type DownloadSample,
  type Films,
  measure,
  newMeasure,
} from '../../../experience/film-choice.ts';
import { mediaHost } from '../media-host.ts';
import { bufferedTo } from './film-world.ts';
import { savesData, setSource } from './preload.ts';

/** Which of a film's two versions is in the element. */
export type FilmSource = {
  /** The start tap: what is in the element now is what will be played. Synchronous, inside the tap. */
  settle(): void;
  /** The full one is in the element, and there is a light one. */
  lighter(): boolean;
  /** Puts the light one into the same element: the permission that a tap won stays. */
  lighten(): void;
};

/** How often it is looked what has arrived. */
const LOOK_MS = 250;

let opened: { url: string; source: FilmSource; close: () => void } | undefined;

/**
 * Begins to load the film, after a priming tap and while the phrases before it are shown, and goes over to the light one as soon as it is clear
 * that the line doesn't carry the full one. With the data saver on, nothing is loaded before the start tap. The same film again is the same source.
 */
export function openFilmSource(films: Films): FilmSource {
  if (opened?.url === films.video_url) return opened.source;
  closeFilmSource();
  const { source, close } = loadFilm(films);
  opened = { url: films.video_url, source, close };
  return source;
}

/** No more is looked or changed: the film has left the element. */
export function closeFilmSource(): void {
  opened?.close();
  opened = undefined;
}

function loadFilm(films: Films): { source: FilmSource; close: () => void } {
  const { video } = mediaHost();
  const { video_url, light_url } = films;
  let url = video_url;
  let measured = newMeasure(performance.now());
  const watch = new AbortController();
  const put = () => setSource(video, url);

  const choose = (tapped: boolean) => {
    if (watch.signal.aborted) return;
    const look = lookAt(video);
    measured = measure(measured, look);
    const chosen = chooseFilm(films, line(), { measure: measured, look }, tapped);
    if (chosen === null) return;
    watch.abort();
    if (chosen === 'light') url = light_url ?? video_url;
    if (tapped || !savesData()) put();
  };
  const timer = setInterval(() => choose(false), LOOK_MS);
  watch.signal.addEventListener('abort', () => clearInterval(timer));
  for (const type of ['progress', 'suspend'])
    video.addEventListener(type, () => choose(false), { signal: watch.signal });
  if (!savesData()) put();
  choose(false);

  const source: FilmSource = {
    settle() {
      choose(true);
      put();
    },
    lighter: () => light_url !== null && url !== light_url,
    lighten() {
      url = light_url ?? video_url;
      put();
    },
  };
  return { source, close: () => watch.abort() };
}

function lookAt(video: HTMLVideoElement): DownloadSample {
  const { buffered, currentTime, duration, networkState } = video;
  let arrived = 0;
  for (let index = 0; index < buffered.length; index += 1)
    arrived += buffered.end(index) - buffered.start(index);
  return {
    now: performance.now(),
    arrived,
    ahead: bufferedTo(video) - currentTime,
    left: duration - currentTime,
    idle: networkState === HTMLMediaElement.NETWORK_IDLE,
    unreliable: document.hidden || !navigator.onLine,
  };
}

function line() {
  return { savesData: savesData(), downlink: navigator.connection?.downlink ?? null };
}
