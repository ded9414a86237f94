import { onEnded } from './ending.ts';
import {
  isRunning,
  type LockEvent,
  type LockState,
  type PlayerState,
  type StepResult,
  withEffects,
} from './lock-types.ts';
import * as pausing from './pausing.ts';
import * as place from './place.ts';
import * as recovery from './recovery.ts';
import { STALL_BEFORE_LIGHT } from './timings.ts';
import { noteMovement, onTick } from './watchdog.ts';

/**
 * Computes one step of the locked film: an event and the element's state give the next state and its effects. Pure.
 * Effects must run in order, those of a tap (`start`, `resume`, `retry`) synchronously.
 */
export function step(before: LockState, event: LockEvent, world: PlayerState): StepResult {
  if (before.phase === 'ended') return withEffects(before);
  const after = answer(before, event, world);
  const hasStalled = before.phase === 'playing' && after.state.phase === 'stalled';
  return hasStalled && (event.type === 'tick' || event.type === 'error') ? countStall(after, world) : after;
}

/** Counts a stall during playback. From the second one on, switches to the light film if there is one. */
function countStall({ state, effects }: StepResult, world: PlayerState): StepResult {
  const counted = { ...state, stalls: state.stalls + 1 };
  if (counted.stalls < STALL_BEFORE_LIGHT || !world.lighter) return withEffects(counted, ...effects);
  const light = recovery.switchToLight(counted, world);
  return withEffects(light.state, ...effects, ...light.effects);
}

function answer(before: LockState, event: LockEvent, world: PlayerState): StepResult {
  const state = noteMovement(place.noteProgress(before, world), world);
  switch (event.type) {
    case 'start':
      return state.phase === 'idle' ? pausing.playOn(state, world) : withEffects(state);
    case 'resume':
      return resume(state, world);
    case 'retry':
      return state.phase === 'failed' ? recovery.retryLoad(state, world, true) : withEffects(state);
    case 'due':
      return onDue(state, event.timer, world);
    case 'refused':
      return onRefused(state, event.name, world);
    default:
      return onOther(state, event.type, world);
  }
}

type Other = Exclude<LockEvent['type'], 'start' | 'resume' | 'retry' | 'due' | 'refused'>;

function onOther(state: LockState, type: Other, world: PlayerState): StepResult {
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
      // Resumes as after a tap. A refused `play()` shows the overlay; simultaneous events count once.
      return world.hidden ? withEffects(state) : resume(state, world);
    case 'online':
      return recovery.onOnline(state, world);
    case 'offline':
      return withEffects({ ...state, wasOffline: true });
    case 'nativeLeft':
      return pausing.onNativeLeft(state, world);
    case 'tick':
      return onTick(state, world);
  }
}

function onDue(state: LockState, timer: 'undo' | 'reload' | 'native', world: PlayerState): StepResult {
  if (timer === 'undo') return pausing.onUndoDue(state, world);
  return timer === 'reload' ? recovery.onReloadDue(state, world) : pausing.onNativeDue(state, world);
}

/** Restores the saved speed and position when a new or reloaded source has its metadata. */
function onMetadata(state: LockState, world: PlayerState): StepResult {
  const ready = recovery.loaded({ ...state, ourSeek: false, missed: 0 });
  const speed = { do: 'setRate', rate: state.rate } as const;
  const back = place.isOffPosition(ready, world) ? place.seekBack(ready) : withEffects(ready);
  const again = isRunning(ready) && world.paused ? [{ do: 'play' } as const] : [];
  return withEffects(back.state, speed, ...back.effects, ...again);
}

/** Handles movement of the film: any overlay is removed. */
function onMoving(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'osPaused' && world.hidden && !world.paused) return withEffects(state, { do: 'pause' });
  const moves = !world.paused && !world.seeking && state.advancedAt === world.now;
  const waits = state.phase === 'starting' || state.phase === 'stalled' || state.phase === 'blocked';
  return moves && waits ? withEffects({ ...recovery.loaded(state), phase: 'playing' }) : withEffects(state);
}

function onRefused(state: LockState, name: string, world: PlayerState): StepResult {
  if (name === 'NotAllowedError') return pausing.onNotAllowed(state, world);
  return name === 'NotSupportedError' ? recovery.onError(state, world) : withEffects(state);
}

/** Resumes from a standstill with one `play()`; after trouble in between, reloads the source first. */
function resume(state: LockState, world: PlayerState): StepResult {
  if (state.phase !== 'blocked' && state.phase !== 'osPaused') return withEffects(state);
  if (recovery.needsReload(state)) return recovery.retryLoad(state, world, state.lastChance);
  return pausing.playOn(state, world);
}
