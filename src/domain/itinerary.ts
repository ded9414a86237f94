import { hasSecondTrip, type Snapshot, shownPhrases, tripOf, type Viaggio } from './content.ts';

/** The kinds of stage an evening can have, in the order in which they can come (spec 4 «Visitor experience stages»). */
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

/** One stop of the evening. `phrases` are the post-video ones in the first trip, the second trip's in the second. */
export type Step = { stage: Stage; viaggio: Viaggio };

/** The stops that exist for this configuration, in order; what has no content is left out. The last is always a `closing`. */
export function itinerary(snapshot: Snapshot): Step[] {
  const two = hasSecondTrip(snapshot);
  const { config } = snapshot;
  return [
    ...when(shownPhrases(config.frasi_pre_video).length > 0, { stage: 'pre_phrases', viaggio: 1 }),
    { stage: 'video', viaggio: 1 },
    ...tripSteps(snapshot, 1),
    ...when(two && shownPhrases(config.frasi_tra_viaggi).length > 0, {
      stage: 'between_phrases',
      viaggio: 2,
    }),
    ...(two ? tripSteps(snapshot, 2) : []),
    { stage: 'closing', viaggio: two ? 2 : 1 },
  ];
}

/**
 * Whose tickets are within reach in a stage (decision 30): a trip's own from its card to its end; where the evening closes both trips',
 * the latest first.
 */
export function ticketsForStage({ stage, viaggio }: Step): Viaggio[] {
  if (stage === 'closing') return viaggio === 2 ? [2, 1] : [1];
  return stage === 'card' || stage === 'questions' ? [viaggio] : [];
}

function tripSteps(snapshot: Snapshot, viaggio: Viaggio): Step[] {
  const trip = tripOf(snapshot, viaggio);
  return [
    ...when(trip.frasi.length > 0, { stage: 'phrases', viaggio }),
    ...when(trip.immagine_destinazione_url !== null, { stage: 'destination', viaggio }),
    { stage: 'card', viaggio },
    ...when(trip.domande !== null, { stage: 'questions', viaggio }),
  ];
}

function when(condition: boolean, step: Step): Step[] {
  return condition ? [step] : [];
}
