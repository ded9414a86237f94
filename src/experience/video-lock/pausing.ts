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
 * Handles a pause. The visitor's own pauses are undone. Those of the phone (hidden page, call, lock) stay until the
 * visitor returns: fighting the system without end leaves the film silent.
 */
export function onPause(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state) || needsReload(state) || isNearEnd(world)) return withEffects(state);
  if (world.hidden) return toOsPaused(state);
  if (state.undoing) return withEffects(state);
  return withEffects({ ...state, undoing: true }, { do: 'wait', timer: 'undo', ms: UNDO_AFTER });
}

/** Undoes the pauses of the last moments together, up to a limit. */
export function onUndoDue(state: LockState, world: PlayerState): StepResult {
  const calm = { ...state, undoing: false };
  if (!isRunning(state) || needsReload(state) || !world.paused || isNearEnd(world)) return withEffects(calm);
  if (world.hidden) return toOsPaused(calm);
  const undos = [...state.undos.filter((at) => world.now - at < UNDO_LIMIT.within), world.now];
  if (undos.length > UNDO_LIMIT.count) return toBlocked(calm);
  return withEffects({ ...calm, undos }, { do: 'play' });
}

/** Pauses while the page is hidden; nothing starts until it is shown. */
export function onHidden(state: LockState): StepResult {
  return isRunning(state) ? toOsPaused(state, { do: 'pause' }) : withEffects(state);
}

/** Handles a refused `play()`. AbortError, from the lock or the browser, is never significant. */
export function onNotAllowed(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state)) return withEffects(state);
  if (world.hidden) return toOsPaused(state);
  const refusals = state.refusals + 1;
  const cannotStart: Effect[] =
    !state.moved && refusals === 2 ? [{ do: 'announce', what: 'cannotStart' }] : [];
  return toBlocked({ ...state, refusals }, ...cannotStart);
}

/** Handles leaving the phone's own player, which pauses: one `play()`, then a check of its effect. */
export function onNativeLeft(state: LockState, world: PlayerState): StepResult {
  if (!isRunning(state) || world.hidden) return withEffects(state);
  const native = { do: 'wait', timer: 'native', ms: NATIVE_EXIT_GRACE } as const;
  // The pause that comes with it is handled here.
  return withEffects({ ...state, undoing: true }, { do: 'forget', timer: 'undo' }, { do: 'play' }, native);
}

export function onNativeDue(state: LockState, world: PlayerState): StepResult {
  const calm = { ...state, undoing: false };
  return isRunning(calm) && world.paused && !isNearEnd(world) ? toBlocked(calm) : withEffects(calm);
}

/** Starts playing from a standstill, with all measures of the watchdog reset. */
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
