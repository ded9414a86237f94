import { type Snapshot, shownPhrases, showsSecondTrip, tripOf, type Viaggio } from './content.ts';

/** Kinds of stages, in the order in which they can come (spec 4 «Visitor experience stages»). */
export const STAGES = [
  'pre_phrases',
  'video',
  'between_phrases',
  'phrases',
  'destination',
  'card',
  'questions',
  'closing',
] as const;
export type Stage = (typeof STAGES)[number];

/** One stage in this evening's itinerary. `phrases` are the post-video ones in the first trip, the second trip's in the second. */
export type Step = { stage: Stage; viaggio: Viaggio };

/** Returns the steps that exist for this configuration, in order. Stages without content are left out. The last is always a `closing`. */
export function itinerary(snapshot: Snapshot): Step[] {
  const two = showsSecondTrip(snapshot);
  const { config } = snapshot;
  return [
    ...stepIf(shownPhrases(config.frasi_pre_video).length > 0, { stage: 'pre_phrases', viaggio: 1 }),
    { stage: 'video', viaggio: 1 },
    ...tripSteps(snapshot, 1),
    ...stepIf(two && shownPhrases(config.frasi_tra_viaggi).length > 0, {
      stage: 'between_phrases',
      viaggio: 2,
    }),
    ...(two ? tripSteps(snapshot, 2) : []),
    { stage: 'closing', viaggio: two ? 2 : 1 },
  ];
}

/**
 * Returns the trips whose tickets are within reach in a stage (decision 023): a trip's own from its card to its end. The closing of both
 * trips has both, the latest first.
 */
export function ticketsForStage({ stage, viaggio }: Step): Viaggio[] {
  if (stage === 'closing') return viaggio === 2 ? [2, 1] : [1];
  return stage === 'card' || stage === 'questions' ? [viaggio] : [];
}

function tripSteps(snapshot: Snapshot, viaggio: Viaggio): Step[] {
  const trip = tripOf(snapshot, viaggio);
  return [
    ...stepIf(trip.frasi.length > 0, { stage: 'phrases', viaggio }),
    ...stepIf(trip.immagine_destinazione_url !== null, { stage: 'destination', viaggio }),
    { stage: 'card', viaggio },
    ...stepIf(trip.domande !== null, { stage: 'questions', viaggio }),
  ];
}

function stepIf(condition: boolean, step: Step): Step[] {
  return condition ? [step] : [];
}

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
