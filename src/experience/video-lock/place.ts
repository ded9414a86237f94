import { isRunning, type LockState, type PlayerState, type StepResult, withEffects } from './lock-types.ts';
import { SEEK_SLACK_S } from './timings.ts';

/** How far the film may come between two looks by playing alone, in seconds (platform: rate × 1.5 + 0.5; more when the page itself was stuck). */
function reach(state: LockState, world: PlayerState): number {
  const elapsed = Math.max(1.5, (world.now - state.goodAt) / 1_000);
  return state.rate * elapsed + 0.5;
}

/** Notes the furthest second reached by playing: never while seeking, never by a jump. */
export function noteProgress(state: LockState, world: PlayerState): LockState {
  const ahead = world.position - state.lastGood;
  const counts = isRunning(state) && !world.paused && !world.seeking && !state.ourSeek;
  if (!counts || ahead <= 0 || ahead > reach(state, world)) return state;
  return { ...state, lastGood: world.position, goodAt: world.now, missed: 0 };
}

/** A jump that isn't ours goes back to the last place reached, once. */
export function onSeeking(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'ended' || state.ourSeek || !isOffPosition(state, world)) return withEffects(state);
  return seekBack(state);
}

/**
 * Our own jump landed, unless another came in between: then once more. A source that can't be sought at all
 * (no byte ranges) is taken where it stands rather than fought.
 */
export function onSeeked(state: LockState, world: PlayerState): StepResult {
  const done = { ...state, ourSeek: false, goodAt: world.now };
  if (!state.ourSeek || !isOffPosition(state, world)) return withEffects({ ...done, missed: 0 });
  if (state.missed >= 2) return withEffects({ ...done, missed: 0, lastGood: world.position });
  return seekBack({ ...done, missed: state.missed + 1 });
}

export function seekBack(state: LockState): StepResult {
  return withEffects({ ...state, ourSeek: true }, { do: 'seek', to: state.lastGood });
}

export function isOffPosition(state: LockState, world: PlayerState): boolean {
  return Math.abs(world.position - state.lastGood) > SEEK_SLACK_S;
}

/** Speed menus exist that we can't take away. */
export function onRateChange(state: LockState, world: PlayerState): StepResult {
  return world.rate === state.rate
    ? withEffects(state)
    : withEffects(state, { do: 'setRate', rate: state.rate });
}

/** Elsewhere without a jump having been announced, as after a phone restarted its player. */
export function hasDrifted(state: LockState, world: PlayerState): boolean {
  const settled = Number.isFinite(world.duration) && !world.seeking && !state.ourSeek && !world.paused;
  if (!settled || !isOffPosition(state, world)) return false;
  const ahead = world.position - state.lastGood;
  return ahead < 0 || ahead > reach(state, world);
}

/** True when the film has really been seen up to here: an `ended` brought about by a jump doesn't count. */
export function reachedByPlaying(state: LockState, world: PlayerState): boolean {
  return world.position - state.lastGood <= reach(state, world);
}
