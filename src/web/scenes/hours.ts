import type { Stage } from '../../domain/itinerary.ts';

/** What the evening's one sky is like: dusk at the first words, deepest around the film, the journey's own colours, first light at the end. */
export type SkyPhase = 'dusk' | 'deep' | 'night' | 'journey' | 'dawn';

/** The hour in which each stage is seen. */
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
