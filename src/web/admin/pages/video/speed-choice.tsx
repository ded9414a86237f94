import { NativeSelect } from '@mantine/core';
import { PLAYBACK_RATES } from '../../../../domain/limits.ts';
import { savedTexts } from '../../../../texts/admin/media.ts';
import { videoPageTexts as texts } from '../../../../texts/admin/video.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useSavedChoice } from '../../components/forms/use-saved-choice.ts';
import { useErrorToast } from '../../components/use-error-toast.ts';

const CHOICES = PLAYBACK_RATES.map((rate) => ({
  value: String(rate),
  label: rate === 1 ? texts.speedNormal : texts.speedOf(rate),
}));

const SENTENCES = { saved: texts.speedSaved, failed: texts.speedFailed };

/** Playback speed of the video; a choice is saved at once. */
export function SpeedChoice() {
  const { value: rate, error, retry, choose } = useSavedChoice('video_playback_rate', SENTENCES);
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
