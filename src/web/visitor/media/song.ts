/**
 * The song in the page.
 *
 *   const song = createSong()
 *   song.start({ url, viaggio })      when the film has ended, and for the second trip
 *   song.dip()                        as a destination comes
 *   song.prepareFade()                synchronously in the tap of every second answer
 *   song.fade()                       when the answers are sent
 *   song.stop()                       before a film, at a forced disconnect
 *   song.destroy()
 */
import { latestSongStart, songStartOf } from '../../../domain/content.ts';
import { type AudioPort, createSongPlayer, type SongPlayer } from '../../../experience/song/song.ts';
import { mediaHost } from '../media-host.ts';
import { type Gain, gainToFull, routeThroughGain } from './gain.ts';
import { onNextGesture } from './next-gesture.ts';
import { setSource } from './preload.ts';
import { takeMediaControls } from './quiet-session.ts';

export type PageSong = Pick<SongPlayer, 'start' | 'dip' | 'fade' | 'stop' | 'phase'> & {
  /** Makes the fade possible on phones where `volume` does nothing. Inside a tap; does nothing elsewhere. */
  prepareFade(): void;
  destroy(): void;
};

/** One for the whole evening. */
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
      // A browser's own loop goes back to the beginning of the file.
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
 * Plays a song once more from where it starts. A `play` that a pause takes back is answered as that pause: Chromium may tell the same end twice,
 * and pauses the song that has begun again.
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

/** iPhones accept a volume, give it back at once, and put it to 1 in a later task: the answer takes 60 ms. Asked once. */
function volumeWorks(): Promise<boolean> {
  works ??= new Promise((resolve) => {
    const probe = document.createElement('audio');
    probe.volume = 0.5;
    setTimeout(() => resolve(probe.volume === 0.5), 60);
  });
  return works;
}
