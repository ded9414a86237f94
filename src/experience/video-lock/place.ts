import { isRunning, type LockState, type PlayerState, type StepResult, withEffects } from './lock-types.ts';
import { SEEK_SLACK_S } from './timings.ts';

/**
 * Returns how far playback alone can advance since the last progress, in seconds: rate × 1.5 + 0.5, more if the page
 * was stuck.
 */
function reach(state: LockState, world: PlayerState): number {
  const elapsed = Math.max(1.5, (world.now - state.goodAt) / 1_000);
  return state.rate * elapsed + 0.5;
}

/** Records the furthest second reached by playing, never while seeking or by a jump. */
export function noteProgress(state: LockState, world: PlayerState): LockState {
  const ahead = world.position - state.lastGood;
  const counts = isRunning(state) && !world.paused && !world.seeking && !state.ourSeek;
  if (!counts || ahead <= 0 || ahead > reach(state, world)) return state;
  return { ...state, lastGood: world.position, goodAt: world.now, missed: 0 };
}

/** Undoes a foreign jump: one seek back to the last position reached. */
export function onSeeking(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'ended' || state.ourSeek || !isOffPosition(state, world)) return withEffects(state);
  return seekBack(state);
}

/**
 * Handles the end of the lock's own seek, and repeats it if another seek interfered. A source that cannot be sought (no
 * byte ranges) continues at its own position.
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

/** Restores the rate: some browsers have speed menus that cannot be removed. */
export function onRateChange(state: LockState, world: PlayerState): StepResult {
  return world.rate === state.rate
    ? withEffects(state)
    : withEffects(state, { do: 'setRate', rate: state.rate });
}

/** Returns true if the position moved without an announced jump, as after a phone restarted its player. */
export function hasDrifted(state: LockState, world: PlayerState): boolean {
  const settled = Number.isFinite(world.duration) && !world.seeking && !state.ourSeek && !world.paused;
  if (!settled || !isOffPosition(state, world)) return false;
  const ahead = world.position - state.lastGood;
  return ahead < 0 || ahead > reach(state, world);
}

/** Returns true if playback reached this position; an `ended` caused by a jump does not count. */
export function reachedByPlaying(state: LockState, world: PlayerState): boolean {
  return world.position - state.lastGood <= reach(state, world);
}
