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

/** Chooses which of a film's two versions is in the element. */
export type FilmSource = {
  /** Fixes the version that will play. Synchronous, inside the start tap. */
  settle(): void;
  /** Returns true if the full version is in the element and a light one exists. */
  hasLighter(): boolean;
  /** Puts the light version into the same element, which keeps its permission to play. */
  switchToLight(): void;
};

/** Interval of the download check, in ms. */
const POLL_MS = 250;

let opened: { url: string; source: FilmSource; close: () => void } | undefined;

/**
 * Starts loading the film during the phrases before it, after an unlocking tap. Changes to the light version as soon as the connection
 * proves too slow. With the data saver on, nothing is loaded before the start tap. Returns the same source for the same film.
 */
export function openFilmSource(films: Films): FilmSource {
  if (opened?.url === films.video_url) return opened.source;
  closeFilmSource();
  const { source, close } = loadFilm(films);
  opened = { url: films.video_url, source, close };
  return source;
}

/** Stops checking and changing; the film has left the element. */
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
    const look = sampleDownload(video);
    measured = measure(measured, look);
    const chosen = chooseFilm(films, connectionInfo(), { measure: measured, look }, tapped);
    if (chosen === null) return;
    watch.abort();
    if (chosen === 'light') url = light_url ?? video_url;
    if (tapped || !savesData()) put();
  };
  const timer = setInterval(() => choose(false), POLL_MS);
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
    hasLighter: () => light_url !== null && url !== light_url,
    switchToLight() {
      url = light_url ?? video_url;
      put();
    },
  };
  return { source, close: () => watch.abort() };
}

function sampleDownload(video: HTMLVideoElement): DownloadSample {
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

function connectionInfo() {
  return { savesData: savesData(), downlink: navigator.connection?.downlink ?? null };
}
