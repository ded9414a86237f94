import { useQuery } from '@tanstack/react-query';
import { checklistSteps } from '../../../../domain/checklist.ts';
import type { SlotName } from '../../../../domain/media.ts';
import { queries } from '../../api.ts';
import { useEveningData } from '../evening/evening-data.ts';
import { useProcessingUploads } from '../media/arrivals/arrived.ts';
import { useUploads } from '../media/uploads/store.ts';

/** Returns the checklist steps of the evening, with the data they are computed from. */
export function useChecklist() {
  const ready = useQuery(queries.ready.read.queryOptions());
  const evening = useEveningData();
  const working = useWorking();
  const error = evening.data === undefined ? evening.error : ready.data === undefined ? ready.error : null;
  const refetch = () => {
    evening.refetch();
    void ready.refetch();
  };
  if (evening.data === undefined || ready.data === undefined) return { data: undefined, error, refetch };
  const { snapshot, settings } = evening.data;
  const scenes = checklistSteps(snapshot, ready.data.reasons, working);
  return { data: { snapshot, settings, scenes, ready: ready.data }, error: null, refetch };
}

export type ChecklistData = NonNullable<ReturnType<typeof useChecklist>['data']>;

/** Returns the slots whose files are being sent or processed. */
function useWorking(): ReadonlySet<SlotName> {
  const sent = useUploads().filter(({ state }) => state.phase === 'sending' || state.phase === 'waiting');
  const arrived = useProcessingUploads().filter(({ state }) => state === 'working');
  return new Set([...sent, ...arrived].map(({ slot }) => slot));
}
