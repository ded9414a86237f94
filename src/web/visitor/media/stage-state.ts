import { keysOf } from '../../../domain/records.ts';
import type { Phase } from '../../../experience/video-lock/lock-types.ts';
import type { Prebuffer } from '../../../experience/video-lock/prebuffer.ts';
import { filmWorld } from './film-world.ts';
import type { FullScreen, FullScreenMode } from './full-screen.ts';
import type { LockRunner } from './lock-runner.ts';

/** What is shown over the film follows from this alone. */
export type VideoStageState = {
  phase: Phase;
  canStart: boolean;
  prebuffer: Prebuffer['stage'];
  /** Share of what is wanted before starting, and of the whole film, that has arrived: 0 to 1, in hundredths. */
  filled: number;
  buffered: number;
  /** Full seconds seen. */
  second: number;
  fullScreen: FullScreenMode;
};

/** The stage as it is at this moment. */
export function view(
  lock: LockRunner,
  prebuffer: Prebuffer,
  screen: FullScreen,
  video: HTMLVideoElement,
): VideoStageState {
  const { phase, lastGood } = lock.state();
  const { bufferedTo, duration } = filmWorld(video);
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

/** Would what is shown be the same? */
export function same(one: VideoStageState, other: VideoStageState): boolean {
  return keysOf(one).every((key) => one[key] === other[key]);
}
