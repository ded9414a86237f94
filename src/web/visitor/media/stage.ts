/**
 * The locked film of the evening, for the page that shows it.
 *
 *   preloadVideo(content.video_url)              while the phrases before it are shown
 *   const stage = createVideoStage({ content, startAt: second, onEvent, carry: [toasts] })
 *   useSyncExternalStore(stage.subscribe, stage.state)
 *   createPortal(<…/>, stage.overlay)            everything shown over the film: it takes all touches
 *   stage.start() · stage.resume() · stage.retry()   synchronously inside the taps of the buttons
 *   stage.destroy()                              when the stage is left, for whatever reason
 *
 * What to show for `state().phase`: idle → the start button, enabled by `canStart` («Sto preparando il video…» until then; while `gate` is
 * `filling`, a bar of `filled`); starting, playing → nothing; stalled → «Un attimo…»; blocked and osPaused → «Tocca per continuare» with
 * `resume()`; failed → «Riprova» with `retry()`; ended → nothing, the film has left the screen and `ended` follows within 500 ms.
 */
import { type Gate, newGate, watchGate } from '../../../experience/video-lock/gate.ts';
import { type Announcement, isRunning, type Phase } from '../../../experience/video-lock/lock-types.ts';
import { WATCH_EVERY } from '../../../experience/video-lock/timings.ts';
import { keepAwake, type MediaHost, mediaHost, primeMedia } from '../media-host.ts';
import { coverPage, showPoster } from './cover.ts';
import { filmWorld, gateSample, listenToFilm } from './film-world.ts';
import { createFullScreen, type FullScreen, type FullScreenMode } from './full-screen.ts';
import { guardFilm } from './guards.ts';
import { type LockRunner, runLock } from './lock-runner.ts';
import { cue, preloadVideo, savesData, uncue } from './preload.ts';
import { takeMediaControls } from './quiet-session.ts';

export type VideoStageEvent =
  /** The film goes on: the second reached, once for each. */
  | { type: 'second'; second: number }
  /** Once, after full screen was left (or 500 ms). */
  | { type: 'ended' }
  /** 'Impossibile avviare il video': it has never moved, and not for want of trying. Once. */
  | { type: 'cannotStart' }
  /** 'Errore caricamento video': «Riprova» didn't help either. Once. */
  | { type: 'gaveUp' };

export type VideoStageState = {
  phase: Phase;
  canStart: boolean;
  gate: Gate['stage'];
  /** Share of what is wanted before starting, and of the whole film, that has arrived: 0 to 1, in hundredths. */
  filled: number;
  buffered: number;
  /** Full seconds seen. */
  second: number;
  fullScreen: FullScreenMode;
};

export type VideoStageOptions = {
  content: { video_url: string; poster_url: string | null; video_playback_rate: number };
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
  const listeners = new Set<() => void>();
  const told = new Set<Announcement>();
  const loads = !savesData();
  let gate = newGate(performance.now(), loads);
  let gone = false;

  const lock = runLock(
    video,
    { startAt: options.startAt, rate: content.video_playback_rate },
    { changed, announce },
  );
  const screen = createFullScreen(wrapper, video, changed);
  const uncover = coverPage(options.carry ?? []);
  const hidePoster = showPoster(content.poster_url);
  const unlocked = [
    listenToFilm(video, lock.send, changed),
    guardFilm(wrapper, video, () => isRunning(lock.state())),
  ];
  const watch = setInterval(() => lock.send({ type: 'tick' }), WATCH_EVERY);
  let state = view(lock, gate, screen, video);
  preloadVideo(content.video_url);
  if (video.readyState >= HTMLMediaElement.HAVE_METADATA) lock.send({ type: 'loadedmetadata' });

  function changed(): void {
    if (gone) return;
    const before = state;
    if (lock.state().phase === 'idle') gate = watchGate(gate, gateSample(video, filmWorld(video)));
    if (lock.state().moved) hidePoster();
    const next = view(lock, gate, screen, video);
    if (same(before, next)) return;
    state = next;
    if (next.second > before.second) onEvent({ type: 'second', second: next.second });
    for (const listener of listeners) listener();
  }

  function announce(what: Announcement): void {
    if (told.has(what)) return;
    told.add(what);
    if (what !== 'ended') return onEvent({ type: what });
    const left = letGo();
    void left.then(() => {
      if (!gone) onEvent({ type: 'ended' });
    });
  }

  /** Gives the page back to the visitor. */
  function letGo(): Promise<void> {
    clearInterval(watch);
    for (const release of unlocked.splice(0)) release();
    uncover();
    hidePoster();
    return screen.leave();
  }

  function destroy(): void {
    if (gone) return;
    gone = true;
    lock.stop();
    void letGo();
    uncue(video);
  }

  return {
    overlay: host.overlay,
    state: () => state,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    start() {
      if (!state.canStart) return;
      unlocked.push(takeMediaControls(() => lock.send({ type: 'visible' })));
      startTap(host, content.video_url, () => lock.send({ type: 'start' }), screen);
    },
    resume: () => againTap(() => lock.send({ type: 'resume' }), screen),
    retry: () => againTap(() => lock.send({ type: 'retry' }), screen),
    destroy,
  };
}

/** The order is the phones': sound off, film on, full screen (which uses the tap up), the screen's light. Nothing is awaited. */
function startTap({ video, songs }: MediaHost, url: string, play: () => void, screen: FullScreen): void {
  for (const song of songs) song.pause();
  video.muted = false;
  cue(video, url);
  play();
  screen.enter();
  primeMedia(video);
}

function againTap(play: () => void, screen: FullScreen): void {
  play();
  screen.enter();
  keepAwake();
}

function view(lock: LockRunner, gate: Gate, screen: FullScreen, video: HTMLVideoElement): VideoStageState {
  const { phase, lastGood } = lock.state();
  const { bufferedTo, duration } = filmWorld(video);
  const buffered = duration > 0 ? Math.min(1, bufferedTo / duration) : 0;
  return {
    phase,
    canStart: phase === 'idle' && gate.stage !== 'preparing',
    gate: gate.stage,
    filled: hundredths(gate.filled),
    buffered: hundredths(buffered),
    second: Math.floor(lastGood),
    fullScreen: screen.mode(),
  };
}

function hundredths(share: number): number {
  return Math.round(share * 100) / 100;
}

function same(one: VideoStageState, other: VideoStageState): boolean {
  return (Object.keys(one) as (keyof VideoStageState)[]).every((key) => one[key] === other[key]);
}
