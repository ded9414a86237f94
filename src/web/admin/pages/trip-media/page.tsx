import { Divider, Stack, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { workshopPageTexts } from '../../../../texts/admin/pages.ts';
import { FormBody, FormSaveBar } from '../../kit/config-form/form-body.tsx';
import type { ConfigRecord } from '../../kit/config-form/sources.ts';
import { useRecordForm } from '../../kit/config-form/use-record-form.ts';
import { DateFields } from '../../kit/media/date-fields.tsx';
import { MediaManager } from '../../kit/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../kit/media/previews/trip-previews.tsx';
import { WithConfig } from '../../kit/media/with-config.tsx';
import { PREVIEW_DELAY_MS } from '../../kit/phone-frame/preview-delay.ts';
import { WithPreview } from '../../kit/phone-frame/with-preview.tsx';
import { PageFrame } from '../../shell/page-frame.tsx';
import { datesForm } from './dates-form.ts';

const title = workshopPageTexts['/admin/immagine'].title;

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
