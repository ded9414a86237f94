import { useQuery } from '@tanstack/react-query';
import { isBlank } from '../../../../domain/blank.ts';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { videoButtonTexts as texts } from '../../../../texts/admin/forms.ts';
import { VideoStart } from '../../../scenes/video-start.tsx';
import { queries } from '../../api.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { FormPage } from '../../components/forms/form-page.tsx';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LineField } from '../../components/forms/text-fields.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { useRecipientName } from '../../components/use-her-name.ts';

type Values = { video_button_text: string };

const form: RecordFormOptions<ConfigRecord, Values> = {
  name: 'video-button',
  source: configSource,
  labels: { video_button_text: texts.field },
  toValues: ({ video_button_text }) => ({
    video_button_text: video_button_text ?? DEFAULT_TEXTS.video_button_text,
  }),
  toFields: ({ video_button_text }) => ({ video_button_text: video_button_text.trim() }),
  blocked: ({ video_button_text }) => isBlank(video_button_text),
  validate: ({ video_button_text }) =>
    isBlank(video_button_text) ? { sentence: texts.blank, fields: ['video_button_text'] } : null,
  sentences: texts,
};

/** Text of the button that starts the film, with a preview (spec 2 «Video button text page»). */
export function Page() {
  return (
    <FormPage
      path="/admin/video-button"
      form={form}
      renderFields={(state) => (
        <LineField
          form={state}
          field="video_button_text"
          max={MAX_LENGTH.buttonText}
          description={texts.hint}
        />
      )}
      renderPreview={(values) => <StartPreview {...values} />}
    />
  );
}

/** The button over the poster of the active video, as the visitor sees it. */
function StartPreview({ video_button_text }: Values) {
  const { data: videos } = useQuery(queries.media.list.queryOptions({ input: { slot: 'video' } }));
  const { personalize } = useRecipientName();
  const active = videos?.find(({ attivo }) => attivo);
  return (
    <PhonePreview label={texts.preview} hour="deep">
      <VideoStart
        video_button_text={personalize(video_button_text).trim()}
        poster_url={active?.poster_url ?? null}
        ready
      />
    </PhonePreview>
  );
}
