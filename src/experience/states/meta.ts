import { exitPoint } from '../../domain/exit-points.ts';
import type { Stage } from '../../domain/itinerary.ts';
import type { VisitMeta } from '../chart.ts';

/** The exit point of a stage is the same in both trips. */
export function metaOf(stage: Stage): VisitMeta {
  return { stage, exitPoint: exitPoint({ stage, viaggio: 1 }) };
}
