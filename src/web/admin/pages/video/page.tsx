import { NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { textOr } from '../../../../domain/content.ts';
import { DEFAULT_TEXTS, PLAYBACK_RATES } from '../../../../domain/limits.ts';
import { savedTexts, videoPageTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { VideoStart } from '../../../scenes/video-start.tsx';
import { queries } from '../../api.ts';
import { ErrorState } from '../../components/error-state.tsx';
import { useSavedChoice } from '../../components/forms/use-saved-choice.ts';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { useErrorToast } from '../../components/use-error-toast.ts';
import { useRecipientName } from '../../components/use-her-name.ts';

/** `/admin/video`: the film of the surprise, its speed, and a preview of its start (spec 2 and 7). */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/video'].title} description={texts.description}>
      <WithPreview preview={<StartPreview />}>
        <MediaManager slot="video">
          <SpeedChoice />
        </MediaManager>
      </WithPreview>
    </PageFrame>
  );
}

/** The poster and the start button, as the visitor sees them. */
function StartPreview() {
  const config = useQuery(queries.config.read.queryOptions());
  const { personalize } = useRecipientName();
  const videos = useQuery(queries.media.list.queryOptions({ input: { slot: 'video' } }));
  const active = videos.data?.find(({ attivo }) => attivo);
  return (
    <PhonePreview label={texts.preview} hour="deep">
      <VideoStart
        video_button_text={textOr(
          personalize(config.data?.video_button_text ?? ''),
          DEFAULT_TEXTS.video_button_text,
        )}
        poster_url={active?.poster_url ?? null}
        ready
      />
    </PhonePreview>
  );
}

const CHOICES = PLAYBACK_RATES.map((rate) => ({
  value: String(rate),
  label: rate === 1 ? texts.speedNormal : texts.speedOf(rate),
}));

const SENTENCES = { saved: texts.speedSaved, failed: texts.speedFailed };

/** Playback speed of the video; a choice is saved at once. */
function SpeedChoice() {
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
