import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { songStartTexts as texts } from '../../../../texts/admin/song-start.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { saveMerging } from '../../components/forms/save-merging.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';

type Start = Pick<ConfigRecord, 'canzone_inizio_secondi'>;
type Saving = { base: ConfigRecord; seconds: number };

/** Where the song starts, in seconds: as it is saved, or as it is just being saved; undefined until it is known. */
export function useSongStart() {
  const queryClient = useQueryClient();
  const { data } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // Seconds are stepped through quickly: one after the other, the last one stays.
    scope: { id: 'canzone_inizio_secondi' },
    mutationFn: ({ base, seconds }: Saving) => save(base, seconds),
    onSuccess: (record) => {
      queryClient.setQueryData(configSource.query.queryKey, record);
      toastSuccess(texts.saved);
    },
    onError: (failure) => toastError(messageOf(failure, texts.failed)),
  });
  return {
    start: isPending ? variables.seconds : data?.canzone_inizio_secondi,
    choose: (seconds: number) => {
      if (data !== undefined) mutate({ base: data, seconds });
    },
  };
}

/** The last choice counts: where somebody else has just chosen, too, it is saved over theirs. */
async function save(base: ConfigRecord, seconds: number): Promise<ConfigRecord> {
  const row = {
    ...configSource,
    toValues: ({ canzone_inizio_secondi }: ConfigRecord): Start => ({ canzone_inizio_secondi }),
    toFields: (values: Start): Partial<ConfigRecord> => values,
  };
  const outcome = await saveMerging<ConfigRecord, Start>(row, base, { canzone_inizio_secondi: seconds });
  return outcome.kind === 'saved' ? outcome.record : save(outcome.record, seconds);
}
