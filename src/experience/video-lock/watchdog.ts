import { toEnded } from './ending.ts';
import { isRunning, keep, type LockState, type Result, type World } from './lock-types.ts';
import { isNearEnd } from './pausing.ts';
import { goBack, hasStrayed } from './place.ts';
import { accountTrouble, loadNow } from './recovery.ts';
import { STALL, UNDO_AFTER } from './timings.ts';

/** Notes what moved since the last look: the film itself, or at least its buffer. */
export function noteMovement(state: LockState, world: World): LockState {
  const jumping = world.seeking || state.ourSeek;
  const moved = world.position > state.advancedTo + 0.01 && !jumping && !world.paused;
  const grown = world.bufferedTo > state.bufferedTo + 0.01;
  const { bufferedTo } = world;
  const next: LockState = { ...state, bufferedTo, grownAt: grown ? world.now : state.grownAt };
  if (jumping || world.position < next.advancedTo) return { ...next, advancedTo: world.position };
  if (!moved) return next;
  return { ...next, advancedTo: world.position, advancedAt: world.now, kicked: false, moved: true };
}

/** Every 500 ms: a stopped film often says nothing at all (no error, no event), only its clock stands still. */
export function onTick(before: LockState, world: World): Result {
  if (!isRunning(before) || world.hidden) return keep(accountTrouble(before, world));
  const state = accountTrouble(before, world);
  const still = world.now - state.advancedAt;
  if (state.trouble?.load === 'waiting') return keep(state);
  if (still >= STALL.spinner && isNearEnd(world)) return toEnded(state);
  if (hasStrayed(state, world)) return goBack(state);
  if (still < STALL.spinner) return missedPause(state, world);
  return climb({ ...state, phase: 'stalled' }, world, still);
}

/** The rungs: spinner, one more `play()`, the source again. A buffer that still grows is slow, not dead. */
function climb(state: LockState, world: World, still: number): Result {
  const silent = Math.min(still, world.now - state.grownAt);
  const patience = state.wasOffline && world.online ? STALL.reloadAfterOffline : STALL.reload;
  if (silent >= patience) return loadNow(state, world);
  if (still >= STALL.kick && !state.kicked) return keep({ ...state, kicked: true }, { do: 'play' });
  return missedPause(state, world);
}

/** A pause whose event never came. */
function missedPause(state: LockState, world: World): Result {
  if (!world.paused || state.undoing || state.phase === 'starting' || state.trouble !== null)
    return keep(state);
  return keep({ ...state, undoing: true }, { do: 'wait', timer: 'undo', ms: UNDO_AFTER });
}
