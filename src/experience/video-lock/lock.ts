import { onEnded } from './ending.ts';
import { isRunning, keep, type LockEvent, type LockState, type Result, type World } from './lock-types.ts';
import * as pausing from './pausing.ts';
import * as place from './place.ts';
import * as recovery from './recovery.ts';
import { STALLS_BORNE } from './timings.ts';
import { noteMovement, onTick } from './watchdog.ts';

/**
 * One step of the locked film: what happened, and how the element stands at that moment → the next state and what to do.
 * Pure. Effects are to be carried out in their order; those of a tap (`start`, `resume`, `retry`) synchronously.
 */
export function step(before: LockState, event: LockEvent, world: World): Result {
  if (before.phase === 'ended') return keep(before);
  const after = answer(before, event, world);
  const stands = before.phase === 'playing' && after.state.phase === 'stalled';
  return stands && (event.type === 'tick' || event.type === 'error') ? bear(after, world) : after;
}

/** It stood still while it played: it is borne with, but not for ever where there is a lighter film. */
function bear({ state, effects }: Result, world: World): Result {
  const counted = { ...state, stalls: state.stalls + 1 };
  if (counted.stalls < STALLS_BORNE || !world.lighter) return keep(counted, ...effects);
  const light = recovery.lighten(counted, world);
  return keep(light.state, ...effects, ...light.effects);
}

function answer(before: LockState, event: LockEvent, world: World): Result {
  const state = noteMovement(place.noteProgress(before, world), world);
  switch (event.type) {
    case 'start':
      return state.phase === 'idle' ? pausing.playOn(state, world) : keep(state);
    case 'resume':
      return resume(state, world);
    case 'retry':
      return state.phase === 'failed' ? recovery.tryAgain(state, world, true) : keep(state);
    case 'due':
      return onDue(state, event.timer, world);
    case 'refused':
      return onRefused(state, event.name, world);
    default:
      return onOther(state, event.type, world);
  }
}

type Other = Exclude<LockEvent['type'], 'start' | 'resume' | 'retry' | 'due' | 'refused'>;

function onOther(state: LockState, type: Other, world: World): Result {
  switch (type) {
    case 'loadedmetadata':
      return onMetadata(state, world);
    case 'playing':
    case 'timeupdate':
      return onMoving(state, world);
    case 'pause':
      return pausing.onPause(state, world);
    case 'seeking':
      return place.onSeeking(state, world);
    case 'seeked':
      return place.onSeeked(state, world);
    case 'ratechange':
      return place.onRateChange(state, world);
    case 'error':
      return recovery.onError(state, world);
    case 'ended':
      return onEnded(state, world);
    case 'hidden':
      return pausing.onHidden(state);
    case 'visible':
      // Seen again: as by a tap. Refused, it becomes the overlay; returns that come together count once.
      return world.hidden ? keep(state) : resume(state, world);
    case 'online':
      return recovery.onOnline(state, world);
    case 'offline':
      return keep({ ...state, wasOffline: true });
    case 'nativeLeft':
      return pausing.onNativeLeft(state, world);
    case 'tick':
      return onTick(state, world);
  }
}

function onDue(state: LockState, timer: 'undo' | 'reload' | 'native', world: World): Result {
  if (timer === 'undo') return pausing.onUndoDue(state, world);
  return timer === 'reload' ? recovery.onReloadDue(state, world) : pausing.onNativeDue(state, world);
}

/** A new or renewed source knows its length: the saved speed, and the place we were at. */
function onMetadata(state: LockState, world: World): Result {
  const ready = recovery.loaded({ ...state, ourSeek: false, missed: 0 });
  const speed = { do: 'setRate', rate: state.rate } as const;
  const back = place.isElsewhere(ready, world) ? place.goBack(ready) : keep(ready);
  const again = isRunning(ready) && world.paused ? [{ do: 'play' } as const] : [];
  return keep(back.state, speed, ...back.effects, ...again);
}

/** The film moves: whatever was shown over it goes. */
function onMoving(state: LockState, world: World): Result {
  if (state.phase === 'osPaused' && world.hidden && !world.paused) return keep(state, { do: 'pause' });
  const moves = !world.paused && !world.seeking && state.advancedAt === world.now;
  const waits = state.phase === 'starting' || state.phase === 'stalled' || state.phase === 'blocked';
  return moves && waits ? keep({ ...recovery.loaded(state), phase: 'playing' }) : keep(state);
}

function onRefused(state: LockState, name: string, world: World): Result {
  if (name === 'NotAllowedError') return pausing.onNotAllowed(state, world);
  return name === 'NotSupportedError' ? recovery.onError(state, world) : keep(state);
}

/** From a standstill: one `play()`; after trouble met meanwhile, the source comes first. */
function resume(state: LockState, world: World): Result {
  if (state.phase !== 'blocked' && state.phase !== 'osPaused') return keep(state);
  if (recovery.owesLoad(state)) return recovery.tryAgain(state, world, state.lastChance);
  return pausing.playOn(state, world);
}
