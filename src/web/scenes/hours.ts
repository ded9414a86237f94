import type { Stage } from '../../domain/itinerary.ts';

/** Phase of the evening's sky: dusk for the first phrases, deep around the film, the journey's own colours, dawn at the end. */
export type SkyPhase = 'dusk' | 'deep' | 'night' | 'journey' | 'dawn';

/** Sky phase of each stage. */
export const SKY_OF_STAGE: Record<Stage, SkyPhase> = {
  pre_phrases: 'dusk',
  video: 'deep',
  phrases: 'night',
  between_phrases: 'night',
  destination: 'journey',
  card: 'journey',
  questions: 'journey',
  closing: 'dawn',
};
