import { type LockState, type PlayerState, type StepResult, withEffects } from './lock-types.ts';
import { reachedByPlaying, seekBack } from './place.ts';

/** Ends the film, once. */
export function toEnded(state: LockState): StepResult {
  const effects = (['undo', 'reload', 'native'] as const).map((timer) => ({ do: 'forget' as const, timer }));
  const ended: LockState = { ...state, phase: 'ended', undoing: false, trouble: null };
  return withEffects(ended, ...effects, { do: 'announce', what: 'ended' });
}

/** Handles the element's `ended`, which counts only if the end was reached by playing. */
export function onEnded(state: LockState, world: PlayerState): StepResult {
  if (state.phase === 'idle' || state.ourSeek || !world.ended) return withEffects(state);
  if (reachedByPlaying(state, world)) return toEnded(state);
  const back = seekBack(state);
  return withEffects(back.state, ...back.effects, { do: 'play' });
}
