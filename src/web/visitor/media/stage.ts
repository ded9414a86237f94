/**
 * The locked film of the evening. Call `openFilmSource(content)` during the phrases before it, and `start`, `resume` and `retry`
 * synchronously inside taps. Render everything over the film into `overlay`, which takes all touches. By `state().phase` show: idle → the
 * start button, enabled by `canStart`, with a bar of `filled` while `prebuffer` is `filling`; stalled → «Un attimo…»; blocked, osPaused →
 * «Tocca per continuare» with `resume()`; failed → «Riprova» with `retry()`; others → nothing.
 */
import type { Films } from '../../../experience/film-choice.ts';
import { type Announcement, isRunning } from '../../../experience/video-lock/lock-types.ts';
import { needsNoMore } from '../../../experience/video-lock/prebuffer.ts';
import { WATCH_EVERY } from '../../../experience/video-lock/timings.ts';
import { nextTask } from '../../ui/waiting.ts';
import { type MediaHost, mediaHost, requestWakeLock, unlockMedia } from '../media-host.ts';
import { coverPage, freezeFrame, showPoster } from './cover.ts';
import { closeFilmSource, openFilmSource } from './film-source.ts';
import { listenToFilm, readPlayerState } from './film-world.ts';
import { createFullScreen, type FullScreen } from './full-screen.ts';
import { guardFilm } from './guards.ts';
import { loadSurround } from './late-surround.ts';
import { type LockRunner, runLock } from './lock-runner.ts';
import { clearSource } from './preload.ts';
import { takeMediaControls } from './quiet-session.ts';
import { showStage, type VideoStageState } from './stage-state.ts';

export type VideoStageEvent =
  /** The film has reached this second; sent once per second. */
  | { type: 'second'; second: number }
  /** The running film needs the network no longer, or only briefly; the next media may load. Sent once. */
  | { type: 'nearlyDone' }
  /** The film has ended and full screen was left, or 500 ms have passed. Sent once. */
  | { type: 'ended' }
  /** 'Impossibile avviare il video': the film has never moved in spite of attempts. Sent once. */
  | { type: 'cannotStart' }
  /** 'Errore caricamento video': «Riprova» did not help either. Sent once. */
  | { type: 'gaveUp' };

export type VideoStageOptions = {
  content: Films & { poster_url: string | null };
  /** Second from which to resume. */
  startAt: number;
  onEvent: (event: VideoStageEvent) => void;
  /** Elements outside React's tree that must stay visible over the film, such as the toast container. */
  carry?: readonly HTMLElement[];
};

export type VideoStage = {
  overlay: HTMLElement;
  state(): VideoStageState;
  subscribe(listener: () => void): () => void;
  start(): void;
  resume(): void;
  retry(): void;
  destroy(): void;
};

/** Covers the page with the film, which waits for its start tap. One stage exists at a time. */
export function createVideoStage(options: VideoStageOptions): VideoStage {
  const host = mediaHost();
  const { video, wrapper } = host;
  const { content, onEvent } = options;
  let isDestroyed = false;
  let tapping = false;

  const source = openFilmSource(content);
  const lock = runLock(
    video,
    { startAt: options.startAt, rate: content.video_playback_rate, source },
    { changed, announce: once(announce), loading: () => surroundings.holdPicture() },
  );
  const screen = createFullScreen(wrapper, video, changed);
  const shown = showStage(lock, screen, video, onEvent);
  const surroundings = setUpSurroundings(options, lock, changed);
  reportLoaded(video, lock);

  function changed(): void {
    if (isDestroyed || tapping) return;
    surroundings.follow();
    shown.update();
  }

  function announce(what: Announcement): void {
    if (what !== 'ended') return onEvent({ type: what });
    leaveScreen(surroundings, screen, () => {
      if (!isDestroyed) onEvent({ type: 'ended' });
    });
  }

  return {
    overlay: host.overlay,
    state: shown.state,
    subscribe: shown.subscribe,
    start() {
      if (lock.state().phase !== 'idle' || !shown.state().canStart) return;
      // Inside the tap, only what requires it; the display and the media keys follow in a separate task.
      tapping = true;
      startTap(host, source.settle, () => lock.send({ type: 'start' }), screen);
      tapping = false;
      nextTask(() => {
        if (!isDestroyed) surroundings.takeControls();
        changed();
      });
    },
    resume: createTap(lock, 'resume', screen),
    retry: createTap(lock, 'retry', screen),
    destroy() {
      if (isDestroyed) return;
      isDestroyed = true;
      lock.stop();
      surroundings.clear();
      unloadFilm(video, screen);
    },
  };
}

/** Leaves the film's last picture and full screen. Listeners of `ended` run after the media keys are released. */
function leaveScreen(
  surroundings: ReturnType<typeof setUpSurroundings>,
  screen: FullScreen,
  left: () => void,
): void {
  const dissolve = surroundings.leaveAfterImage();
  surroundings.clear();
  void screen.leave().then(() => {
    dissolve();
    left();
  });
}

/** Removes the film's source and stops its loading. */
function unloadFilm(video: HTMLVideoElement, screen: FullScreen): void {
  void screen.leave();
  closeFilmSource();
  clearSource(video);
}

/** Reports metadata that was loaded before the stage opened. */
function reportLoaded(video: HTMLVideoElement, lock: LockRunner): void {
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) lock.send({ type: 'loadedmetadata' });
}

/** Returns a check that reports the first time the film needs no more of the network. */
function onceNearlyDone(video: HTMLVideoElement, onNearlyDone: () => void): () => void {
  let sent = false;
  return () => {
    if (sent || !needsNoMore(readPlayerState(video))) return;
    sent = true;
    onNearlyDone();
  };
}

/** Sets up everything around the film, to be removed at its end. */
function setUpSurroundings(options: VideoStageOptions, lock: LockRunner, changed: () => void) {
  const { video, wrapper } = mediaHost();
  const surround = loadSurround();
  const hidePoster = showPoster(options.content.poster_url, surround.show);
  const noticeNearlyDone = onceNearlyDone(video, () => options.onEvent({ type: 'nearlyDone' }));
  const watch = setInterval(() => lock.send({ type: 'tick' }), WATCH_EVERY);
  let removeFrozenFrame = () => {};
  const removals = [
    coverPage(options.carry ?? []),
    hidePoster,
    () => removeFrozenFrame(),
    surround.remove,
    listenToFilm(video, lock.send, changed),
    guardFilm(wrapper, video, () => isRunning(lock.state())),
    () => clearInterval(watch),
  ];
  return {
    /** Removes the poster once the film has moved, and a frozen frame once it plays. */
    follow() {
      const { moved, phase } = lock.state();
      if (moved) {
        hidePoster(true);
        noticeNearlyDone();
      }
      if (phase === 'playing') removeFrozenFrame();
    },
    holdPicture() {
      // If the element is empty, the existing frozen frame stays.
      const held = freezeFrame();
      if (held === null) return;
      removeFrozenFrame();
      removeFrozenFrame = held;
    },
    leaveAfterImage: surround.leaveAfterImage,
    takeControls: () => removals.push(takeMediaControls(() => lock.send({ type: 'visible' }))),
    clear() {
      for (const remove of removals.splice(0)) remove();
    },
  };
}

/** Passes each announcement on the first time only. */
function once(pass: (what: Announcement) => void): (what: Announcement) => void {
  const sent = new Set<Announcement>();
  return (what) => {
    if (sent.has(what)) return;
    sent.add(what);
    pass(what);
  };
}

/** Order required by phones: song off, film on, full screen (which uses up the tap), wake lock. Nothing is awaited. */
function startTap(
  { video, songs }: MediaHost,
  settle: () => void,
  play: () => void,
  screen: FullScreen,
): void {
  for (const song of songs) song.pause();
  video.muted = false;
  settle();
  play();
  screen.enter();
  unlockMedia(video);
}

function createTap(lock: LockRunner, type: 'resume' | 'retry', screen: FullScreen): () => void {
  return () => {
    lock.send({ type });
    screen.enter();
    requestWakeLock();
  };
}
