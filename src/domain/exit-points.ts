import type { Step } from './itinerary.ts';

/** Position of the visitor when leaving (spec 4 «Exit tracking»). */
export const EXIT_POINTS = [
  'during_pre_phrases',
  'during_post_phrases',
  'during_checkboxes',
  'after_checkboxes',
] as const;
export type ExitPoint = (typeof EXIT_POINTS)[number];

/**
 * Maps a stage to one of the specification's four exit points: the video counts with the phrases before it, picture and card with those
 * after it.
 */
export function exitPoint({ stage }: Step): ExitPoint {
  const points: Record<Step['stage'], ExitPoint> = {
    pre_phrases: 'during_pre_phrases',
    video: 'during_pre_phrases',
    phrases: 'during_post_phrases',
    destination: 'during_post_phrases',
    card: 'during_post_phrases',
    questions: 'during_checkboxes',
    between_phrases: 'after_checkboxes',
    closing: 'after_checkboxes',
  };
  return points[stage];
}
