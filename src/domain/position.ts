import type { Viaggio } from './content.ts';
import type { Step } from './itinerary.ts';

/** Position of a visit: index of the step, index of the phrase in it, second of the video in it. */
export type Position = { step: number; phrase: number; second: number };

export const START: Position = { step: 0, phrase: 0, second: 0 };

export type Advance = { kind: 'moved'; position: Position } | { kind: 'kept' } | { kind: 'refused' };

/**
 * Returns the furthest position after the browser reports that `reported` begins. An earlier position changes nothing.
 * Refuses a report more than one step ahead, or past unanswered questions.
 * @param answered trips whose answers are stored
 */
export function advance(
  steps: readonly Step[],
  now: Position,
  reported: Position,
  answered: ReadonlySet<Viaggio>,
): Advance {
  const current = steps[now.step];
  if (current === undefined || reported.step >= steps.length || reported.step > now.step + 1)
    return { kind: 'refused' };
  if (reported.step > now.step) {
    const waiting = current.stage === 'questions' && !answered.has(current.viaggio);
    return waiting ? { kind: 'refused' } : { kind: 'moved', position: reported };
  }
  return reported.step === now.step && isFurther(now, reported)
    ? { kind: 'moved', position: reported }
    : { kind: 'kept' };
}

function isFurther(now: Position, reported: Position): boolean {
  return reported.phrase > now.phrase || (reported.phrase === now.phrase && reported.second > now.second);
}

/** Returns the number of steps whose content the browser may have: those reached and the next. */
export function visibleStepCount(steps: readonly Step[], position: Position): number {
  return Math.min(steps.length, position.step + 2);
}
