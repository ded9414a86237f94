import type { Stage } from '../../../domain/itinerary.ts';
import type { StageContent } from '../../../domain/stage-content.ts';
import { currentStage } from '../../../experience/selectors.ts';
import type { VisitActor } from '../../../experience/visit-machine.ts';
import { useSelector } from './use-selector.ts';

/** Returns the current stage's content; null if another kind of stage is current, as in a screen's last moment. */
export function useStageContent<S extends Stage>(
  actor: VisitActor,
  stage: S,
): Extract<StageContent, { stage: S }> | null {
  const content = useSelector(actor, (snapshot) => currentStage(snapshot)?.content ?? null);
  return content !== null && isOf(content, stage) ? content : null;
}

function isOf<S extends Stage>(
  content: StageContent,
  stage: S,
): content is Extract<StageContent, { stage: S }> {
  return content.stage === stage;
}
