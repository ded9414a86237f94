import { Stack } from '@mantine/core';
import { useState } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import { DEFAULT_TEXTS, IMAGE_SECONDS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { destinationTextsTexts, ticketInstructionTexts } from '../../../../texts/admin/forms.ts';
import { savedTexts, tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { adminPlaces } from '../../../../texts/admin/pages.ts';
import { FormBody } from '../../components/forms/form-body.tsx';
import type { Problem, RecordFormOptions } from '../../components/forms/form-options.ts';
import { LeaveGuard } from '../../components/forms/leave-guard.tsx';
import { combineLeaveGuards } from '../../components/forms/leaving.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { LineField, LinesField, NumberField } from '../../components/forms/text-fields.tsx';
import { type RecordForm, useRecordForm } from '../../components/forms/use-record-form.ts';
import { useDebouncedValues } from '../../components/forms/use-typed.ts';
import { PageSection } from '../../components/place/place.tsx';
import { DateFields, TripPage, TripParts, textsForm } from './trip-parts.tsx';

const TITLES = '/admin/testi-destinazione';
const INSTRUCTION = '/admin/ticket-instruction';
type TitleValues = {
  titolo_destinazione: string;
  titolo_viaggio: string;
  /** Text, because a partly typed number may be invalid. */
  durata_immagine_destinazione_secondi: string;
};

/** Titles of the first trip, and the duration of its picture (spec 2 «Destination texts page»). */
const titlesForm: RecordFormOptions<ConfigRecord, TitleValues> = {
  name: 'testi-destinazione',
  source: configSource,
  labels: {
    titolo_destinazione: destinationTextsTexts.titolo_destinazione,
    titolo_viaggio: destinationTextsTexts.titolo_viaggio,
    durata_immagine_destinazione_secondi: destinationTextsTexts.durata,
  },
  toValues: (record) => ({
    titolo_destinazione: record.titolo_destinazione ?? DEFAULT_TEXTS.titolo_destinazione,
    titolo_viaggio: record.titolo_viaggio ?? DEFAULT_TEXTS.titolo_viaggio,
    durata_immagine_destinazione_secondi: String(record.durata_immagine_destinazione_secondi),
  }),
  toFields: ({ titolo_destinazione, titolo_viaggio, durata_immagine_destinazione_secondi }) => ({
    titolo_destinazione: titolo_destinazione.trim(),
    titolo_viaggio: titolo_viaggio.trim(),
    durata_immagine_destinazione_secondi: Number(durata_immagine_destinazione_secondi),
  }),
  validate: problemOf,
  sentences: destinationTextsTexts,
};

function problemOf(values: TitleValues): Problem<TitleValues> | null {
  const { blank: sentence, outOfRange } = destinationTextsTexts;
  const blank = (['titolo_destinazione', 'titolo_viaggio'] as const).filter((field) =>
    isBlank(values[field]),
  );
  if (blank.length > 0) return { sentence, fields: blank };
  const text = values.durata_immagine_destinazione_secondi.trim();
  const seconds = Number(text);
  const fits = text !== '' && seconds >= IMAGE_SECONDS.min && seconds <= IMAGE_SECONDS.max;
  return fits ? null : { sentence: outOfRange, fields: ['durata_immagine_destinazione_secondi'] };
}

/** Text below the ticket button (spec 2 «Ticket instruction page»). */
const instructionForm: RecordFormOptions<ConfigRecord, { testo_istruzioni_biglietti: string }> = {
  name: 'ticket-instruction',
  source: configSource,
  labels: { testo_istruzioni_biglietti: ticketInstructionTexts.field },
  toValues: ({ testo_istruzioni_biglietti }) => ({
    testo_istruzioni_biglietti: testo_istruzioni_biglietti ?? DEFAULT_TEXTS.testo_istruzioni_biglietti,
  }),
  toFields: (values) => values,
  blocked: ({ testo_istruzioni_biglietti }) => isBlank(testo_istruzioni_biglietti),
  validate: ({ testo_istruzioni_biglietti }) =>
    isBlank(testo_istruzioni_biglietti)
      ? { sentence: ticketInstructionTexts.blank, fields: ['testo_istruzioni_biglietti'] }
      : null,
  sentences: ticketInstructionTexts,
};

/** The first trip's dates (spec 7: «Dates: update {data_partenza, data_ritorno}»). */
const datesForm = textsForm(
  'date-viaggio',
  { data_partenza: texts.departure, data_ritorno: texts.return },
  { saved: texts.datesSaved, loadFailed: savedTexts.configFailed, saveFailed: savedTexts.saveFailed },
);

/**
 * Picture, texts, tickets, instructions and dates of the first trip on one page. The specification's addresses
 * (`/admin/immagine`, `/admin/testi-destinazione`, `/admin/biglietti`, `/admin/ticket-instruction`) each lead to a section. Each
 * section saves separately.
 */
export function Page() {
  return (
    <TripPage path="/admin/immagine" sentences={datesForm.sentences}>
      {(config) => <Sections config={config} />}
    </TripPage>
  );
}

function Sections({ config }: { config: ConfigRecord }) {
  const titles = useRecordForm(titlesForm, config);
  const instruction = useRecordForm(instructionForm, config);
  const dates = useRecordForm(datesForm, config);
  const shown = {
    ...config,
    ...useDebouncedValues(titles),
    ...useDebouncedValues(instruction),
    ...useDebouncedValues(dates),
  };
  const [writesTitles, setWritesTitles] = useState(false);
  return (
    <Stack gap="xl">
      <LeaveGuard {...combineLeaveGuards([titles, instruction, dates])} />
      <TripParts
        config={shown}
        viaggio={1}
        showsCard={writesTitles && config.immagine_destinazione_url === null}
        titles={<Titles form={titles} onTitle={() => setWritesTitles(true)} />}
      >
        <PageSection id="istruzioni" path={INSTRUCTION} title={adminPlaces[INSTRUCTION].title}>
          <FormBody form={instruction} guarded={false}>
            <LinesField
              form={instruction}
              field="testo_istruzioni_biglietti"
              max={MAX_LENGTH.instructions}
              description={ticketInstructionTexts.hint}
            />
          </FormBody>
        </PageSection>
        {/* No separate address: the specification has the dates on the tickets' page (spec 2). */}
        <PageSection id="date" title={texts.dates}>
          <FormBody form={dates} guarded={false}>
            <DateFields form={dates} fields={['data_partenza', 'data_ritorno']} />
          </FormBody>
        </PageSection>
      </TripParts>
    </Stack>
  );
}

type TitlesProps = {
  form: RecordForm<ConfigRecord, TitleValues>;
  /** Called when a title field gets the focus. */
  onTitle: () => void;
};

/** Section of `/admin/testi-destinazione`. */
function Titles({ form, onTitle }: TitlesProps) {
  return (
    <PageSection id="testi" path={TITLES} title={adminPlaces[TITLES].title}>
      <FormBody form={form} guarded={false}>
        <LineField form={form} field="titolo_destinazione" max={MAX_LENGTH.title} onFocus={onTitle} />
        <LineField form={form} field="titolo_viaggio" max={MAX_LENGTH.title} onFocus={onTitle} />
        <NumberField
          form={form}
          field="durata_immagine_destinazione_secondi"
          min={IMAGE_SECONDS.min}
          max={IMAGE_SECONDS.max}
          description={destinationTextsTexts.durataHint}
        />
      </FormBody>
    </PageSection>
  );
}
