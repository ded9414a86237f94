import { Divider, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { FormBody, FormSaveBar } from '../../components/forms/form-body.tsx';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { DateFields } from '../../components/media/date-fields.tsx';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../components/media/previews/trip-previews.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PREVIEW_DELAY_MS } from '../../components/phone-frame/preview-delay.ts';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { datesForm } from './dates-form.ts';

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
