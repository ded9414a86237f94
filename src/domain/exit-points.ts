import type { Step } from './itinerary.ts';

/** Where the visitor was when she left (spec 4 «Exit tracking»). */
export const EXIT_POINTS = [
  'during_pre_phrases',
  'during_post_phrases',
  'during_checkboxes',
  'after_checkboxes',
] as const;
export type ExitPoint = (typeof EXIT_POINTS)[number];

/** The spec names four points for all the stages: the video counts with what comes before it, picture and card with the phrases. */
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
