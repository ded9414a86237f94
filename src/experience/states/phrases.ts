import type { Stage } from '../../domain/itinerary.ts';
import { chart } from '../chart.ts';
import { phraseInput } from '../context.ts';
import { metaOf } from './meta.ts';
import { skip } from './skip.ts';

/** One sequence each: before the video, between the trips, after the video. */
export const pre_phrases = phrasesState('pre_phrases');
export const between_phrases = phrasesState('between_phrases');
export const phrases = phrasesState('phrases');

function phrasesState(stage: Stage) {
  return chart.createStateConfig({
    meta: metaOf(stage),
    entry: ['tuneSong', 'report'],
    on: { SKIP: skip },
    invoke: {
      src: 'phraseMachine',
      input: ({ context }) => phraseInput(context),
      onDone: { target: 'choosing', actions: 'nextStep' },
    },
  });
}
