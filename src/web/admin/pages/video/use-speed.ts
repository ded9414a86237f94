import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { videoPageTexts as texts } from '../../../../texts/admin/media.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { saveMerging } from '../../components/forms/save-merging.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { messageOf } from '../../failure.ts';

type Speed = Pick<ConfigRecord, 'video_playback_rate'>;
type Rate = Speed['video_playback_rate'];

/** The video's speed: as it is saved, or as it is just being saved. */
export function useSpeed() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // The keyboard passes over choices quickly: one after the other, the last one stays.
    scope: { id: 'video_playback_rate' },
    mutationFn: ({ base, rate }: { base: ConfigRecord; rate: Rate }) => save(base, rate),
    onSuccess: (record) => {
      queryClient.setQueryData(configSource.query.queryKey, record);
      toastSuccess(texts.speedSaved);
    },
    onError: (failure) => toastError(messageOf(failure, texts.speedFailed)),
  });
  return {
    rate: isPending ? variables.rate : data?.video_playback_rate,
    error: data === undefined ? error : null,
    retry: () => void refetch(),
    choose: (rate: Rate) => {
      if (data !== undefined) mutate({ base: data, rate });
    },
  };
}

/** The last choice counts: where somebody else has just chosen, too, it is saved over theirs. */
async function save(base: ConfigRecord, rate: Rate): Promise<ConfigRecord> {
  const row = {
    ...configSource,
    toValues: ({ video_playback_rate }: ConfigRecord): Speed => ({ video_playback_rate }),
    toFields: (values: Speed): Partial<ConfigRecord> => values,
  };
  const outcome = await saveMerging<ConfigRecord, Speed>(row, base, { video_playback_rate: rate });
  return outcome.kind === 'saved' ? outcome.record : save(outcome.record, rate);
}
