import { Divider, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { savedTexts, tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { FormBody, FormSaveBar } from '../../components/forms/form-body.tsx';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../components/media/previews/trip-previews.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PREVIEW_DELAY_MS } from '../../components/phone-frame/preview-delay.ts';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';

type Dates = { data_partenza: string; data_ritorno: string };

/** The first trip's dates (spec 7: «Dates: update {data_partenza, data_ritorno}»). */
const datesForm = {
  name: 'date-viaggio',
  source: configSource,
  labels: { data_partenza: texts.departure, data_ritorno: texts.return },
  toValues: ({ data_partenza, data_ritorno }) => ({
    data_partenza: data_partenza ?? '',
    data_ritorno: data_ritorno ?? '',
  }),
  toFields: ({ data_partenza, data_ritorno }) => ({
    data_partenza: storedText(data_partenza),
    data_ritorno: storedText(data_ritorno),
  }),
  sentences: {
    saved: texts.datesSaved,
    loadFailed: savedTexts.configFailed,
    saveFailed: savedTexts.saveFailed,
  },
} satisfies RecordFormOptions<ConfigRecord, Dates>;

const title = adminPageTexts['/admin/immagine'].title;

/** `/admin/immagine` and `/admin/biglietti`: the first trip's picture, tickets and dates (spec 2 and 7). */
export function Page() {
  return (
    <PageFrame title={title} description={texts.description}>
      <WithConfig sentences={datesForm.sentences}>{(config) => <Parts config={config} />}</WithConfig>
    </PageFrame>
  );
}

function Parts({ config }: { config: ConfigRecord }) {
  const form = useRecordForm(datesForm, config);
  const [typed] = useDebouncedValue(form.values, PREVIEW_DELAY_MS);
  return (
    <Stack gap="xl">
      <WithPreview preview={<DestinationPreview config={config} viaggio={1} />}>
        <MediaManager slot="immagine" />
      </WithPreview>
      <Divider />
      <WithPreview
        bar={<FormSaveBar form={form} />}
        preview={<CardPreview config={{ ...config, ...datesForm.toFields(typed) }} viaggio={1} />}
      >
        <Stack gap="xl">
          <MediaManager slot="biglietti" />
          <Stack component="section" gap="sm">
            <Title order={2} size="h3">
              {texts.dates}
            </Title>
            <FormBody form={form} barAside>
              <DateFields departure={form.input('data_partenza')} back={form.input('data_ritorno')} />
            </FormBody>
          </Stack>
        </Stack>
      </WithPreview>
    </Stack>
  );
}
