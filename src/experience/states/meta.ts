import { exitPoint, type Stage } from '../../domain/itinerary.ts';
import type { VisitMeta } from '../chart.ts';

/** Returns the metadata of a stage. Its exit point is the same in both trips. */
export function metaOf(stage: Stage): VisitMeta {
  return { stage, exitPoint: exitPoint({ stage, viaggio: 1 }) };
}
