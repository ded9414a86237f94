import {
  type Effect,
  isRunning,
  type LockState,
  type PlayerState,
  type StepResult,
  withEffects,
} from './lock-types.ts';
import { needsReload } from './recovery.ts';
import { END_SLACK_S, NATIVE_EXIT_GRACE, UNDO_AFTER, UNDO_LIMIT } from './timings.ts';

/**
 * Pauses. Those of the visitor are undone; those of the phone (hidden page, call, lock) are left alone until she is back,
 * because an endless fight with the system ends in silence.
 */
export function onPause(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state) || needsReload(state) || isNearEnd(world)) return withEffects(state);
  if (world.hidden) return toOsPaused(state);
  if (state.undoing) return withEffects(state);
  return withEffects({ ...state, undoing: true }, { do: 'wait', timer: 'undo', ms: UNDO_AFTER });
}

/** The pauses of the last moments are undone together, but not for ever. */
export function onUndoDue(state: LockState, world: PlayerState): StepResult {
  const calm = { ...state, undoing: false };
  if (!isRunning(state) || needsReload(state) || !world.paused || isNearEnd(world)) return withEffects(calm);
  if (world.hidden) return toOsPaused(calm);
  const undos = [...state.undos.filter((at) => world.now - at < UNDO_LIMIT.within), world.now];
  if (undos.length > UNDO_LIMIT.count) return toBlocked(calm);
  return withEffects({ ...calm, undos }, { do: 'play' });
}

/** Nobody is looking: the film waits, and starts nothing until it is seen again. */
export function onHidden(state: LockState): StepResult {
  return isRunning(state) ? toOsPaused(state, { do: 'pause' }) : withEffects(state);
}

/** A `play()` was refused. AbortError is our own or the browser's change of mind and never means anything. */
export function onNotAllowed(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state)) return withEffects(state);
  if (world.hidden) return toOsPaused(state);
  const refusals = state.refusals + 1;
  const cannotStart: Effect[] =
    !state.moved && refusals === 2 ? [{ do: 'announce', what: 'cannotStart' }] : [];
  return toBlocked({ ...state, refusals }, ...cannotStart);
}

/** The phone's own player pauses when it is left: one `play()`, and a look whether it helped. */
export function onNativeLeft(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state) || world.hidden) return withEffects(state);
  const native = { do: 'wait', timer: 'native', ms: NATIVE_EXIT_GRACE } as const;
  // The pause it comes with is this one's business.
  return withEffects({ ...state, undoing: true }, { do: 'forget', timer: 'undo' }, { do: 'play' }, native);
}

export function onNativeDue(state: LockState, world: PlayerState): StepResult {
  const calm = { ...state, undoing: false };
  return isRunning(calm) && world.paused && !isNearEnd(world) ? toBlocked(calm) : withEffects(calm);
}

/** From a standstill to «starting», with every measure of the watchdog begun anew. */
export function playOn(state: LockState, world: PlayerState): StepResult {
  const fresh = { kicked: false, undos: [], advancedAt: world.now, goodAt: world.now, grownAt: world.now };
  return withEffects({ ...state, ...fresh, phase: 'starting' }, { do: 'play' });
}

export function isNearEnd(world: PlayerState): boolean {
  return world.duration - world.position < END_SLACK_S;
}

function toOsPaused(state: LockState, ...effects: Effect[]): StepResult {
  return standstill({ ...state, phase: 'osPaused' }, effects);
}

function toBlocked(state: LockState, ...effects: Effect[]): StepResult {
  return standstill({ ...state, phase: 'blocked' }, effects);
}

function standstill(state: LockState, effects: Effect[]): StepResult {
  const still = { ...state, undoing: false };
  return withEffects(still, ...effects, { do: 'forget', timer: 'undo' }, { do: 'forget', timer: 'native' });
}
