import { keysOf } from '../../../domain/records.ts';
import type { LockPhase } from '../../../experience/video-lock/lock-types.ts';
import { newPrebuffer, type Prebuffer, watchPrebuffer } from '../../../experience/video-lock/prebuffer.ts';
import { createStore, type Store } from '../../ui/store.ts';
import { prebufferSample, readPlayerState } from './film-world.ts';
import type { FullScreen, FullScreenMode } from './full-screen.ts';
import type { LockRunner } from './lock-runner.ts';
import { savesData } from './preload.ts';

/** State that determines everything shown over the film. */
export type VideoStageState = {
  phase: LockPhase;
  canStart: boolean;
  prebuffer: Prebuffer['stage'];
  /** Loaded shares of the buffer needed before the start, and of the whole film: 0 to 1, rounded to hundredths. */
  filled: number;
  buffered: number;
  /** Full seconds watched. */
  second: number;
  fullScreen: FullScreenMode;
};

/**
 * Creates the stage's observable state and the method that updates it. Before the start, an update also measures the loading.
 * @param onSecond called with each full second that is reached
 */
export function showStage(
  lock: LockRunner,
  screen: FullScreen,
  video: HTMLVideoElement,
  onSecond: (reached: { type: 'second'; second: number }) => void,
): Store<VideoStageState> & { update(): void } {
  let prebuffer = newPrebuffer(performance.now(), !savesData());
  const shown = createStore(view(lock, prebuffer, screen, video));
  return {
    ...shown,
    update() {
      if (lock.state().phase === 'idle')
        prebuffer = watchPrebuffer(prebuffer, prebufferSample(video, readPlayerState(video)));
      const before = shown.state();
      const next = view(lock, prebuffer, screen, video);
      if (same(before, next)) return;
      shown.set(next);
      if (next.second > before.second) onSecond({ type: 'second', second: next.second });
    },
  };
}

/** Returns the stage's current state. */
function view(
  lock: LockRunner,
  prebuffer: Prebuffer,
  screen: FullScreen,
  video: HTMLVideoElement,
): VideoStageState {
  const { phase, lastGood } = lock.state();
  const { bufferedTo, duration } = readPlayerState(video);
  const buffered = duration > 0 ? Math.min(1, bufferedTo / duration) : 0;
  return {
    phase,
    canStart: phase === 'idle' && prebuffer.stage !== 'preparing',
    prebuffer: prebuffer.stage,
    filled: hundredths(prebuffer.filled),
    buffered: hundredths(buffered),
    second: Math.floor(lastGood),
    fullScreen: screen.mode(),
  };
}

function hundredths(share: number): number {
  return Math.round(share * 100) / 100;
}

/** Returns true if both states look the same. */
function same(one: VideoStageState, other: VideoStageState): boolean {
  return keysOf(one).every((key) => one[key] === other[key]);
}
