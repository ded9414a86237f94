/**
 * The locked film of the evening, for the page that shows it.
 *
 *   openFilmSource(content)                      while the phrases before it are shown
 *   const stage = createVideoStage({ content, startAt: second, onEvent, carry: [toasts] })
 *   useSyncExternalStore(stage.subscribe, stage.state)
 *   createPortal(<…/>, stage.overlay)            everything shown over the film: it takes all touches
 *   stage.start() · stage.resume() · stage.retry()   synchronously inside the taps of the buttons
 *   stage.destroy()                              when the stage is left, for whatever reason
 *
 * What to show for `state().phase`: idle → the start button, enabled by `canStart` («Sto preparando il video…» until then; while `prebuffer` is
 * `filling`, a bar of `filled`); starting, playing → nothing; stalled → «Un attimo…»; blocked and osPaused → «Tocca per continuare» with
 * `resume()`; failed → «Riprova» with `retry()`; ended → nothing, the film has left the screen and `ended` follows within 500 ms.
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
  /** The film goes on: the second reached, once for each. */
  | { type: 'second'; second: number }
  /** Once: the running film needs the network no longer, or not for much longer; what comes next may be fetched. */
  | { type: 'nearlyDone' }
  /** Once, after full screen was left (or 500 ms). */
  | { type: 'ended' }
  /** 'Impossibile avviare il video': it has never moved, and not for want of trying. Once. */
  | { type: 'cannotStart' }
  /** 'Errore caricamento video': «Riprova» didn't help either. Once. */
  | { type: 'gaveUp' };

export type VideoStageOptions = {
  content: Films & { poster_url: string | null };
  /** The second from which to go on. */
  startAt: number;
  onEvent: (event: VideoStageEvent) => void;
  /** Elements outside React's tree that must stay visible over the film, such as the container of the toasts. */
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

/** Covers the page with the film, waiting for its start tap. One stage at a time. */
export function createVideoStage(options: VideoStageOptions): VideoStage {
  const host = mediaHost();
  const { video, wrapper } = host;
  const { content, onEvent } = options;
  let gone = false;
  let tapping = false;

  const source = openFilmSource(content);
  const lock = runLock(
    video,
    { startAt: options.startAt, rate: content.video_playback_rate, source },
    { changed, announce: once(announce), loading: () => furniture.holdPicture() },
  );
  const screen = createFullScreen(wrapper, video, changed);
  const shown = showStage(lock, screen, video, onEvent);
  const furniture = furnish(options, lock, changed);
  tellWhatIsLoaded(video, lock);

  function changed(): void {
    if (gone || tapping) return;
    furniture.follow();
    shown.look();
  }

  function announce(what: Announcement): void {
    if (what !== 'ended') return onEvent({ type: what });
    leaveScreen(furniture, screen, () => {
      if (!gone) onEvent({ type: 'ended' });
    });
  }

  return {
    overlay: host.overlay,
    state: shown.state,
    subscribe: shown.subscribe,
    start() {
      if (lock.state().phase !== 'idle' || !shown.state().canStart) return;
      // The tap itself does what only a tap may; what is seen of it, and the media keys, follow in a task of their own.
      tapping = true;
      startTap(host, source.settle, () => lock.send({ type: 'start' }), screen);
      tapping = false;
      nextTask(() => {
        if (!gone) furniture.takeControls();
        changed();
      });
    },
    resume: againTap(lock, 'resume', screen),
    retry: againTap(lock, 'retry', screen),
    destroy() {
      if (gone) return;
      gone = true;
      lock.stop();
      furniture.clear();
      putAway(video, screen);
    },
  };
}

/** The film leaves its last picture and the screen; whoever hears that it has ended finds the media keys given back. */
function leaveScreen(furniture: ReturnType<typeof furnish>, screen: FullScreen, left: () => void): void {
  const dissolve = furniture.leaveAfterImage();
  furniture.clear();
  void screen.leave().then(() => {
    dissolve();
    left();
  });
}

/** Nothing of the film is loaded any more. */
function putAway(video: HTMLVideoElement, screen: FullScreen): void {
  void screen.leave();
  closeFilmSource();
  clearSource(video);
}

/** What was loaded before the stage is known at once. */
function tellWhatIsLoaded(video: HTMLVideoElement, lock: LockRunner): void {
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) lock.send({ type: 'loadedmetadata' });
}

/** Looks whether the film needs no more of the network, and tells the first time. */
function onceNearlyDone(video: HTMLVideoElement, tell: () => void): () => void {
  let told = false;
  return () => {
    if (told || !needsNoMore(readPlayerState(video))) return;
    told = true;
    tell();
  };
}

/** Everything put up around the film, to be cleared away when it ends or is taken off. */
function furnish(options: VideoStageOptions, lock: LockRunner, changed: () => void) {
  const { video, wrapper } = mediaHost();
  const surround = loadSurround();
  const hidePoster = showPoster(options.content.poster_url, surround.show);
  const noticeNearlyDone = onceNearlyDone(video, () => options.onEvent({ type: 'nearlyDone' }));
  const watch = setInterval(() => lock.send({ type: 'tick' }), WATCH_EVERY);
  let letPictureGo = () => {};
  const removals = [
    coverPage(options.carry ?? []),
    hidePoster,
    () => letPictureGo(),
    surround.remove,
    listenToFilm(video, lock.send, changed),
    guardFilm(wrapper, video, () => isRunning(lock.state())),
    () => clearInterval(watch),
  ];
  return {
    /** What stands for the film goes when the film itself is there. */
    follow() {
      const { moved, phase } = lock.state();
      if (moved) {
        hidePoster(true);
        noticeNearlyDone();
      }
      if (phase === 'playing') letPictureGo();
    },
    holdPicture() {
      // The one that is held already stays where the element has been empty since.
      const held = freezeFrame();
      if (held === null) return;
      letPictureGo();
      letPictureGo = held;
    },
    leaveAfterImage: surround.leaveAfterImage,
    takeControls: () => removals.push(takeMediaControls(() => lock.send({ type: 'visible' }))),
    clear() {
      for (const remove of removals.splice(0)) remove();
    },
  };
}

/** Each announcement is passed on the first time only. */
function once(pass: (what: Announcement) => void): (what: Announcement) => void {
  const told = new Set<Announcement>();
  return (what) => {
    if (told.has(what)) return;
    told.add(what);
    pass(what);
  };
}

/** The order is the phones': sound off, film on, full screen (which uses the tap up), the screen's light. Nothing is awaited. */
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

function againTap(lock: LockRunner, type: 'resume' | 'retry', screen: FullScreen): () => void {
  return () => {
    lock.send({ type });
    screen.enter();
    requestWakeLock();
  };
}
