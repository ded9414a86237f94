import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { songStartTexts as texts } from '../../../../texts/admin/song-start.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { saveOver } from '../../components/forms/save-over.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';

type Saving = { base: ConfigRecord; seconds: number };

/** Where the song starts, in seconds: as it is saved, or as it is just being saved; undefined until it is known. */
export function useSongStart() {
  const queryClient = useQueryClient();
  const { data } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // Seconds are stepped through quickly: one after the other, the last one stays.
    scope: { id: 'canzone_inizio_secondi' },
    mutationFn: ({ base, seconds }: Saving) => saveOver(base, { canzone_inizio_secondi: seconds }, startIn),
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

const startIn = ({ canzone_inizio_secondi }: Pick<ConfigRecord, 'canzone_inizio_secondi'>) => ({
  canzone_inizio_secondi,
});
