import { NativeSelect } from '@mantine/core';
import { PLAYBACK_RATES } from '../../../../domain/limits.ts';
import { savedTexts, videoPageTexts as texts } from '../../../../texts/admin/media.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useErrorToast } from '../../components/use-error-toast.ts';
import { useSpeed } from './use-speed.ts';

const CHOICES = PLAYBACK_RATES.map((rate) => ({
  value: String(rate),
  label: rate === 1 ? texts.speedNormal : texts.speedOf(rate),
}));

/** How fast the video plays; a choice is saved at once. */
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
