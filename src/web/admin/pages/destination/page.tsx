import { Divider, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Configuration } from '../../../../domain/configuration.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { combineLeaveGuards } from '../../components/forms/leaving.ts';
import type { ConfigRecord } from '../../components/forms/sources.ts';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { useDebouncedValues } from '../../components/forms/use-typed.ts';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { CardPreview, DestinationPreview } from '../../components/media/previews/trip-previews.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';
import { Dates, datesForm } from './dates.tsx';
import { Instruction, instructionForm } from './instruction.tsx';
import { Texts, textsForm } from './texts.tsx';

/**
 * Picture, texts, tickets, instructions and dates of the first trip on one page. The specification's addresses
 * (`/admin/immagine`, `/admin/testi-destinazione`, `/admin/biglietti`, `/admin/ticket-instruction`) each lead to a section. Each
 * section saves separately.
 */
export function Page() {
  return (
    <PageFrame title={adminPageTexts['/admin/immagine'].title}>
      <WithConfig sentences={datesForm.sentences}>{(config) => <Places config={config} />}</WithConfig>
    </PageFrame>
  );
}

function Places({ config }: { config: ConfigRecord }) {
  const textsState = useRecordForm(textsForm, config);
  const instruction = useRecordForm(instructionForm, config);
  const dates = useRecordForm(datesForm, config);
  const shown = {
    ...config,
    ...useDebouncedValues(textsState),
    ...useDebouncedValues(instruction),
    ...useDebouncedValues(dates),
  };
  const [titles, setTitles] = useState(false);
  return (
    <Stack gap="xl">
      <LeaveGuard {...combineLeaveGuards([textsState, instruction, dates])} />
      <WithPreview preview={<PicturePreview config={shown} titles={titles} />}>
        <Stack gap="xl">
          <MediaManager slot="immagine" section={{ id: 'immagine', path: '/admin/immagine', first: true }} />
          <Texts form={textsState} onTitle={() => setTitles(true)} />
        </Stack>
      </WithPreview>
      <Divider visibleFrom="md" />
      <WithPreview preview={<CardPreview config={shown} viaggio={1} />}>
        <Stack gap="xl">
          <MediaManager slot="biglietti" section={{ id: 'biglietti', path: '/admin/biglietti' }} />
          <Instruction form={instruction} />
          <Dates form={dates} />
        </Stack>
      </WithPreview>
    </Stack>
  );
}

/** Without a picture, titles only appear on the card, so it is shown while they are edited. */
function PicturePreview({ config, titles }: { config: Configuration; titles: boolean }) {
  return titles && config.immagine_destinazione_url === null ? (
    <CardPreview config={config} viaggio={1} />
  ) : (
    <DestinationPreview config={config} viaggio={1} />
  );
}
