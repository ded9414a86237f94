import { NativeSelect } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { PLAYBACK_RATES } from '../../../../domain/limits.ts';
import { savedTexts } from '../../../../texts/admin/media.ts';
import { videoPageTexts as texts } from '../../../../texts/admin/video.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { saveLastWriteWins } from '../../components/forms/save-over.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { useErrorToast } from '../../components/use-error-toast.ts';
import { messageOf } from '../../failure.ts';

const CHOICES = PLAYBACK_RATES.map((rate) => ({
  value: String(rate),
  label: rate === 1 ? texts.speedNormal : texts.speedOf(rate),
}));

/** Playback speed of the video; a choice is saved at once. */
export function SpeedChoice() {
  const { rate, error, retry, choose } = useSpeed();
  useErrorToast(error, savedTexts.configFailed);
  if (error !== null) return <ErrorState error={error} fallback={savedTexts.configFailed} onRetry={retry} />;
  return (
    <NativeSelect
      label={texts.speed}
      description={texts.speedHint}
      data={CHOICES}
      value={rate === undefined ? '' : String(rate)}
      disabled={rate === undefined}
      size="md"
      maw="20rem"
      onChange={({ currentTarget: { value } }) => {
        const chosen = PLAYBACK_RATES.find((one) => String(one) === value);
        if (chosen !== undefined) choose(chosen);
      }}
    />
  );
}

type Rate = ConfigRecord['video_playback_rate'];

/** Returns the video's speed, as saved or as being saved. */
function useSpeed() {
  const queryClient = useQueryClient();
  const { data, error, refetch } = useQuery(configSource.query);
  const { mutate, isPending, variables } = useMutation({
    // Requests run one after another, so that the last of several quick choices stays.
    scope: { id: 'video_playback_rate' },
    mutationFn: ({ base, rate }: { base: ConfigRecord; rate: Rate }) =>
      saveLastWriteWins(base, { video_playback_rate: rate }, speedIn),
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

const speedIn = ({ video_playback_rate }: Pick<ConfigRecord, 'video_playback_rate'>) => ({
  video_playback_rate,
});
