import { STAGES, type Stage } from '../../domain/itinerary.ts';
import { chart } from '../chart.ts';

/** Continues in the state of the next stage, at the end, or by waiting for its content. */
export const choosing = chart.createStateConfig({
  id: 'choosing',
  meta: { stage: null, exitPoint: null },
  always: [...STAGES.map(toStage), { guard: 'isOver', target: 'completing' }, { target: 'waiting' }],
});

function toStage(stage: Stage) {
  return { guard: { type: 'isStage', params: { stage } }, target: stage } as const;
}
