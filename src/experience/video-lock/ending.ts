import { keep, type LockState, type Result, type World } from './lock-types.ts';
import { goBack, hasArrived } from './place.ts';

/** The end, once. */
export function toEnded(state: LockState): Result {
  const effects = (['undo', 'reload', 'native'] as const).map((timer) => ({ do: 'forget' as const, timer }));
  const ended: LockState = { ...state, phase: 'ended', undoing: false, trouble: null };
  return keep(ended, ...effects, { do: 'announce', what: 'ended' });
}

/** The element says that it has ended: true unless somebody jumped there. */
export function onEnded(state: LockState, world: World): Result {
  if (state.phase === 'idle' || state.ourSeek || !world.ended) return keep(state);
  if (hasArrived(state, world)) return toEnded(state);
  const back = goBack(state);
  return keep(back.state, ...back.effects, { do: 'play' });
}
