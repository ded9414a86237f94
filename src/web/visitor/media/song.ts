/**
 * The song of the evening. Call `start` when the film has ended and for the second trip, and `dip` when a destination appears. Call
 * `prepareFade` synchronously in the tap of every second answer, and `fade` when the answers are sent. Call `stop` before a film and at a
 * forced disconnect.
 */
import { latestSongStart, songStartOf } from '../../../domain/content.ts';
import { type AudioPort, createSongPlayer, type SongPlayer } from '../../../experience/song/song.ts';
import { mediaHost } from '../media-host.ts';
import { type Gain, gainToFull, routeThroughGain } from './gain.ts';
import { onNextGesture } from './next-gesture.ts';
import { setSource } from './preload.ts';
import { takeMediaControls } from './quiet-session.ts';

export type PageSong = Pick<SongPlayer, 'start' | 'dip' | 'fade' | 'stop' | 'phase'> & {
  /** Enables the fade on phones where `volume` has no effect. Call inside a tap; does nothing elsewhere. */
  prepareFade(): void;
  destroy(): void;
};

/** Creates the song of the evening. */
export function createSong(): PageSong {
  const { songs } = mediaHost();
  const stop = new AbortController();
  const { signal } = stop;
  let hasVolume = false;
  let gain: Gain | null = null;
  let current: HTMLAudioElement = songs[0];
  let release = () => {};
  void volumeWorks().then((works) => {
    hasVolume = works;
  });

  const player = createSongPlayer({
    voice(viaggio) {
      current = songs[viaggio - 1] ?? songs[0];
      gain = null;
      release();
      release = takeMediaControls(() => player.visibilityChanged());
      return voiceOf(
        current,
        () => hasVolume,
        () => gain,
      );
    },
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    onNextTap: onNextGesture,
    hidden: () => document.visibilityState === 'hidden',
    silent: () => release(),
  });

  for (const type of ['visibilitychange', 'pageshow']) {
    const target = type === 'pageshow' ? window : document;
    target.addEventListener(type, player.visibilityChanged, { signal });
  }
  for (const song of songs) {
    song.addEventListener(
      'pause',
      () => song === current && song.paused && !song.ended && player.interrupted(),
      { signal },
    );
    song.addEventListener('ended', () => song === current && again(song, player), { signal });
  }
  return {
    start: player.start,
    dip: player.dip,
    fade: player.fade,
    stop: player.stop,
    phase: player.phase,
    prepareFade() {
      if (!hasVolume && player.phase() === 'playing') gain = routeThroughGain(current);
    },
    destroy() {
      player.stop();
      stop.abort();
    },
  };
}

function voiceOf(element: HTMLAudioElement, hasVolume: () => boolean, gain: () => Gain | null): AudioPort {
  const level = (value: number) => {
    element.volume = value;
  };
  return {
    load(url) {
      setSource(element, url);
      // A browser's own loop restarts at the beginning of the file.
      element.loop = songStartOf(url) === 0;
    },
    play: () => {
      void gainToFull(element);
      return Promise.resolve(element.play());
    },
    pause: () => element.pause(),
    level: () => (hasVolume() ? level : null),
    fader: async () => (hasVolume() ? level : ((await gain()?.level()) ?? null)),
  };
}

/**
 * Repeats a song from its start position. Chromium may report an end twice and pause the song that has restarted. The `play` promise then
 * rejects with AbortError, which the pause event already covers.
 */
function again(element: HTMLAudioElement, player: SongPlayer): void {
  if (player.phase() !== 'playing' && player.phase() !== 'fading') return;
  const start = songStartOf(element.src);
  element.currentTime = start <= latestSongStart(element.duration) ? start : 0;
  element.play().catch((error: unknown) => {
    if (!(error instanceof DOMException && error.name === 'AbortError')) player.interrupted();
  });
}

let works: Promise<boolean> | undefined;

/** Resolves with true if `volume` works. iPhones accept a value and reset it to 1 in a later task, so the check takes 60 ms. Runs once. */
function volumeWorks(): Promise<boolean> {
  works ??= new Promise((resolve) => {
    const probe = document.createElement('audio');
    probe.volume = 0.5;
    setTimeout(() => resolve(probe.volume === 0.5), 60);
  });
  return works;
}
