import { isRunning, keep, type LockState, type Result, type World } from './lock-types.ts';
import { SEEK_SLACK_S } from './timings.ts';

/** How far the film may come between two looks by playing alone, in seconds (platform: rate × 1.5 + 0.5; more when the page itself was stuck). */
function reach(state: LockState, world: World): number {
  const elapsed = Math.max(1.5, (world.now - state.goodAt) / 1_000);
  return state.rate * elapsed + 0.5;
}

/** Notes the furthest second reached by playing: never while seeking, never by a jump. */
export function noteProgress(state: LockState, world: World): LockState {
  const ahead = world.position - state.lastGood;
  const counts = isRunning(state) && !world.paused && !world.seeking && !state.ourSeek;
  if (!counts || ahead <= 0 || ahead > reach(state, world)) return state;
  return { ...state, lastGood: world.position, goodAt: world.now, missed: 0 };
}

/** A jump that isn't ours goes back to the last place reached, once. */
export function onSeeking(state: LockState, world: World): Result {
  if (state.phase === 'ended' || state.ourSeek || !isElsewhere(state, world)) return keep(state);
  return goBack(state);
}

/**
 * Our own jump landed, unless another came in between: then once more. A source that can't be sought at all
 * (no byte ranges) is taken where it stands rather than fought.
 */
export function onSeeked(state: LockState, world: World): Result {
  const done = { ...state, ourSeek: false, goodAt: world.now };
  if (!state.ourSeek || !isElsewhere(state, world)) return keep({ ...done, missed: 0 });
  if (state.missed >= 2) return keep({ ...done, missed: 0, lastGood: world.position });
  return goBack({ ...done, missed: state.missed + 1 });
}

export function goBack(state: LockState): Result {
  return keep({ ...state, ourSeek: true }, { do: 'seek', to: state.lastGood });
}

export function isElsewhere(state: LockState, world: World): boolean {
  return Math.abs(world.position - state.lastGood) > SEEK_SLACK_S;
}

/** Speed menus exist that we can't take away. */
export function onRateChange(state: LockState, world: World): Result {
  return world.rate === state.rate ? keep(state) : keep(state, { do: 'setRate', rate: state.rate });
}

/** Elsewhere without a jump having been announced, as after a phone restarted its player. */
export function hasStrayed(state: LockState, world: World): boolean {
  const settled = Number.isFinite(world.duration) && !world.seeking && !state.ourSeek && !world.paused;
  if (!settled || !isElsewhere(state, world)) return false;
  const ahead = world.position - state.lastGood;
  return ahead < 0 || ahead > reach(state, world);
}

/** True when the film has really been seen up to here: an `ended` brought about by a jump doesn't count. */
export function hasArrived(state: LockState, world: World): boolean {
  return world.position - state.lastGood <= reach(state, world);
}
