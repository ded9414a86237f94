import { toEnded } from './ending.ts';
import {
  type Effect,
  isRunning,
  type LockState,
  type PlayerState,
  type Recovery,
  type StepResult,
  withEffects,
} from './lock-types.ts';
import { BACKOFF, CUT_SHORT_AFTER, RECOVERED_AFTER_S, RETRY_BUDGET } from './timings.ts';

/**
 * Recovery from network and source failures: the same element reloads the same source at the last second seen. It
 * retries after 1-2-4-8-8 s, forever while offline and for a minute while online; then «Riprova», and only then the
 * spec's error.
 */

/** Handles an error of the media element. Its codes do not distinguish a bad file from a lost connection. */
export function onError(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'osPaused' || state.phase === 'blocked')
    return withEffects(inTrouble(state, world, 'waiting'));
  if (!isRunning(state) || state.trouble?.load === 'waiting') return withEffects(state);
  return world.undecodable && state.moved ? onCut(state, world) : loadLater(state, world);
}

/** Counts a decoding error. A film that cannot be decoded past a point counts as ended, so the evening continues. */
function onCut(state: LockState, world: PlayerState): StepResult {
  const known = inTrouble(state, world, 'waiting');
  const cuts = known.trouble.cuts + 1;
  if (cuts >= CUT_SHORT_AFTER) return toEnded(known);
  return loadLater({ ...known, trouble: { ...known.trouble, cuts } }, world);
}

/** Reloads now: the stall lasted long enough, or the connection is back. */
export function loadNow(state: LockState, world: PlayerState): StepResult {
  const known = inTrouble(state, world, 'loading');
  const trouble = { ...known.trouble, attempts: known.trouble.attempts + 1 };
  if (isExhausted(trouble, world)) return giveUp({ ...known, trouble });
  const timing = { advancedAt: world.now, grownAt: world.now, bufferedTo: 0, kicked: false };
  const next: LockState = {
    ...known,
    ...timing,
    trouble,
    phase: 'stalled',
    ourSeek: false,
    wasOffline: false,
  };
  return withEffects(next, { do: 'forget', timer: 'reload' }, { do: 'reload' });
}

/**
 * Switches to the light film at the last second seen, with a new retry budget. Happens once: there is nothing lighter.
 */
export function switchToLight(state: LockState, world: PlayerState): StepResult {
  const { state: next, effects } = loadNow({ ...state, trouble: null, lastChance: false }, world);
  return withEffects(
    next,
    ...effects.map((effect) => (effect.do === 'reload' ? { do: 'lighten' as const } : effect)),
  );
}

function loadLater(state: LockState, world: PlayerState): StepResult {
  const known = inTrouble(state, world, 'waiting');
  if (isExhausted(known.trouble, world)) return giveUp(known);
  const ms = BACKOFF[Math.min(known.trouble.attempts, BACKOFF.length - 1)] ?? 8_000;
  const next: LockState = { ...known, phase: 'stalled', undoing: false };
  return withEffects(next, { do: 'forget', timer: 'undo' }, { do: 'wait', timer: 'reload', ms });
}

export function onReloadDue(state: LockState, world: PlayerState): StepResult {
  return state.trouble?.load === 'waiting' && isRunning(state) ? loadNow(state, world) : withEffects(state);
}

/** Handles the return of the connection: a waiting load restarts with short waits. */
export function onOnline(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'failed') return state.lastChance ? withEffects(state) : retryLoad(state, world, false);
  if (state.trouble === null && state.phase !== 'stalled') return withEffects({ ...state, wasOffline: true });
  if (!isRunning(state)) return withEffects({ ...state, wasOffline: true });
  const known = inTrouble(state, world, 'none');
  return loadNow({ ...known, trouble: { ...known.trouble, attempts: 0 } }, world);
}

/** Reloads after «Riprova» or the return of the connection. The `play()` belongs to the tap. */
export function retryLoad(state: LockState, world: PlayerState, lastChance: boolean): StepResult {
  const calm: LockState = { ...state, trouble: null, lastChance, goodAt: world.now };
  const { state: next, effects } = loadNow(calm, world);
  return withEffects(next, ...effects, { do: 'play' });
}

/** Adds the time spent on recovery, and clears the trouble once the film is well past it. */
export function trackRecoveryTime(state: LockState, world: PlayerState): LockState {
  const { trouble } = state;
  if (trouble === null) return state;
  if (state.lastGood - trouble.from >= RECOVERED_AFTER_S)
    return { ...state, trouble: null, lastChance: false };
  const spent = world.online && !world.hidden ? world.now - trouble.countedAt : 0;
  return { ...state, trouble: { ...trouble, spentMs: trouble.spentMs + spent, countedAt: world.now } };
}

/** Returns true if the source must be loaded again before playing. */
export function needsReload(state: LockState): boolean {
  return state.trouble !== null && state.trouble.load !== 'none';
}

/** Marks the new load as having delivered data. */
export function loaded(state: LockState): LockState {
  return state.trouble === null ? state : { ...state, trouble: { ...state.trouble, load: 'none' } };
}

type Troubled = LockState & { trouble: Recovery };

function inTrouble(state: LockState, world: PlayerState, load: Recovery['load']): Troubled {
  const counted = trackRecoveryTime(state, world);
  const budget = state.lastChance ? RETRY_BUDGET.again : RETRY_BUDGET.first;
  const fresh: Recovery = {
    from: state.lastGood,
    attempts: 0,
    cuts: 0,
    spentMs: 0,
    countedAt: world.now,
    budget,
    load,
  };
  return { ...counted, trouble: counted.trouble === null ? fresh : { ...counted.trouble, load } };
}

function isExhausted(trouble: Recovery, world: PlayerState): boolean {
  return world.online && trouble.spentMs >= trouble.budget;
}

function giveUp(state: LockState): StepResult {
  const { lastChance, moved } = state;
  const effects: Effect[] = [
    { do: 'forget', timer: 'reload' },
    { do: 'forget', timer: 'undo' },
  ];
  if (lastChance) effects.push({ do: 'announce', what: 'gaveUp' });
  else if (!moved) effects.push({ do: 'announce', what: 'cannotStart' });
  return withEffects({ ...state, phase: 'failed', undoing: false, trouble: null }, ...effects);
}
