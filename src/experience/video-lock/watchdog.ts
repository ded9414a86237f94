import { toEnded } from './ending.ts';
import { isRunning, type LockState, type PlayerState, type StepResult, withEffects } from './lock-types.ts';
import { isNearEnd } from './pausing.ts';
import { hasDrifted, seekBack } from './place.ts';
import { loadNow, trackRecoveryTime } from './recovery.ts';
import { STALL, UNDO_AFTER } from './timings.ts';

/** Records progress of the film or its buffer since the last sample. */
export function noteMovement(state: LockState, world: PlayerState): LockState {
  const jumping = world.seeking || state.ourSeek;
  const moved = world.position > state.advancedTo + 0.01 && !jumping && !world.paused;
  const grown = world.bufferedTo > state.bufferedTo + 0.01;
  const { bufferedTo } = world;
  const next: LockState = { ...state, bufferedTo, grownAt: grown ? world.now : state.grownAt };
  if (jumping || world.position < next.advancedTo) return { ...next, advancedTo: world.position };
  if (!moved) return next;
  return { ...next, advancedTo: world.position, advancedAt: world.now, kicked: false, moved: true };
}

/** Checks the film every 500 ms: a stopped film often sends no event and no error, only its position stays. */
export function onTick(before: LockState, world: PlayerState): StepResult {
  if (!isRunning(before) || world.hidden) return withEffects(trackRecoveryTime(before, world));
  const state = trackRecoveryTime(before, world);
  const still = world.now - state.advancedAt;
  if (state.trouble?.load === 'waiting') return withEffects(state);
  if (still >= STALL.spinner && isNearEnd(world)) return toEnded(state);
  if (hasDrifted(state, world)) return seekBack(state);
  if (still < STALL.spinner) return missedPause(state, world);
  return climb({ ...state, phase: 'stalled' }, world, still);
}

/** Escalates: spinner, one more `play()`, reload of the source. A buffer that still grows is slow, not dead. */
function climb(state: LockState, world: PlayerState, still: number): StepResult {
  const silent = Math.min(still, world.now - state.grownAt);
  const timeoutMs = state.wasOffline && world.online ? STALL.reloadAfterOffline : STALL.reload;
  if (silent >= timeoutMs) return loadNow(state, world);
  if (still >= STALL.kick && !state.kicked) return withEffects({ ...state, kicked: true }, { do: 'play' });
  return missedPause(state, world);
}

/** Handles a pause without an event. */
function missedPause(state: LockState, world: PlayerState): StepResult {
  if (!world.paused || state.undoing || state.phase === 'starting' || state.trouble !== null)
    return withEffects(state);
  return withEffects({ ...state, undoing: true }, { do: 'wait', timer: 'undo', ms: UNDO_AFTER });
}
