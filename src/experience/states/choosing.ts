import { STAGES, type Stage } from '../../domain/itinerary.ts';
import { chart } from '../chart.ts';

/** Where the walk goes on: to the state of the next stage's kind, to the end, or to waiting for its content. */
export const choosing = chart.createStateConfig({
  id: 'choosing',
  meta: { stage: null, exitPoint: null },
  always: [...STAGES.map(toStage), { guard: 'isOver', target: 'completing' }, { target: 'waiting' }],
});

function toStage(stage: Stage) {
  return { guard: { type: 'isStage', params: { stage } }, target: stage } as const;
}
