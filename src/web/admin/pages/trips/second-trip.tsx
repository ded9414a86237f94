import { Badge, NavLink, Paper, Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { isBlank } from '../../../../domain/blank.ts';
import type { PhraseList, Questions } from '../../../../domain/configuration.ts';
import { hasSecondTrip, shownPhrases } from '../../../../domain/content.ts';
import { DEFAULT_TEXTS, MAX_LENGTH } from '../../../../domain/limits.ts';
import { checklistTexts } from '../../../../texts/admin/dashboard.ts';
import { secondTripSwitchTexts as switchTexts } from '../../../../texts/admin/forms.ts';
import { savedTexts, secondTripTexts as texts, tripMediaTexts } from '../../../../texts/admin/media.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import { phrasesText } from '../../../../texts/admin/preview.ts';
import { FormBody, FormSaveBar } from '../../components/forms/form-body.tsx';
import { type ConfigRecord, questionsSource } from '../../components/forms/sources.ts';
import { LineField, LinesField } from '../../components/forms/text-fields.tsx';
import { useRecordForm } from '../../components/forms/use-record-form.ts';
import { useSavedChoice } from '../../components/forms/use-saved-choice.ts';
import { useDebouncedValues } from '../../components/forms/use-typed.ts';
import { PageSection } from '../../components/place/place.tsx';
import { SaveBar } from '../../components/save-state.tsx';
import { DateFields, TripPage, TripParts, textsForm } from './trip-parts.tsx';

const PATH = '/admin/second-trip-details';
const { places } = tripMediaTexts;

/** The second trip's titles, dates and instructions (spec 7). */
const form = textsForm(
  'dettagli-secondo-viaggio',
  {
    titolo_destinazione_2: texts.titolo_destinazione_2,
    titolo_viaggio_2: texts.titolo_viaggio_2,
    data_partenza_2: tripMediaTexts.departure,
    data_ritorno_2: tripMediaTexts.return,
    testo_istruzioni_biglietti_2: texts.testo_istruzioni_biglietti_2,
  },
  texts,
);

/** `/admin/second-trip-details`: the switch of the second trip, and all of its parts (spec 2 and 7). */
export function Page() {
  return (
    <TripPage path={PATH} sentences={texts}>
      {(config) => <SecondTrip config={config} />}
    </TripPage>
  );
}

function SecondTrip({ config }: { config: ConfigRecord }) {
  const {
    value = null,
    saving,
    choose,
  } = useSavedChoice('secondo_viaggio', { failed: savedTexts.saveFailed });
  const isOn = hasSecondTrip({ config: { ...config, secondo_viaggio: value } });
  return (
    <Stack gap="xl">
      <Paper withBorder p="lg" maw="46rem">
        <Stack align="flex-start">
          <Switch
            size="md"
            label={switchTexts.label}
            aria-label={switchTexts.label}
            description={switchTexts[isOn ? 'on' : value === null ? 'unset' : 'off']}
            checked={isOn}
            onChange={({ currentTarget }) => choose(currentTarget.checked)}
          />
          <SaveBar state={saving ? 'saving' : 'saved'} />
        </Stack>
      </Paper>
      {value !== false && <Parts config={config} />}
    </Stack>
  );
}

function Parts({ config }: { config: ConfigRecord }) {
  const state = useRecordForm(form, config);
  const shown = { ...config, ...useDebouncedValues(state) };
  return (
    <>
      <PartLinks config={state.record} />
      <TripParts config={shown} viaggio={2} bar={<FormSaveBar form={state} />}>
        <PageSection id="dettagli" title={places.details}>
          <FormBody form={state} barAside>
            <LineField
              form={state}
              field="titolo_destinazione_2"
              max={MAX_LENGTH.title}
              placeholder={DEFAULT_TEXTS.titolo_destinazione_2}
            />
            <LineField
              form={state}
              field="titolo_viaggio_2"
              max={MAX_LENGTH.title}
              placeholder={DEFAULT_TEXTS.titolo_viaggio_2}
            />
            <DateFields form={state} fields={['data_partenza_2', 'data_ritorno_2']} />
            <LinesField
              form={state}
              field="testo_istruzioni_biglietti_2"
              max={MAX_LENGTH.instructions}
              placeholder={DEFAULT_TEXTS.testo_istruzioni_biglietti}
            />
          </FormBody>
        </PageSection>
      </TripParts>
    </>
  );
}

/** Links to every part in the visitor's order, here or on its own page, with its state. */
function PartLinks({ config }: { config: ConfigRecord }) {
  const { data: questions } = useQuery(questionsSource.query);
  return (
    <Paper component="nav" aria-label={switchTexts.parts} withBorder maw="46rem">
      {partsOf(config, questions).map(([to, label, state]) => (
        <NavLink
          key={to}
          component={Link}
          to={to}
          label={label}
          mih="2.75rem"
          rightSection={
            state !== undefined && (
              <Badge variant="light" tt="none" color={COLORS.get(state) ?? 'green'}>
                {state}
              </Badge>
            )
          }
        />
      ))}
    </Paper>
  );
}

const { states, optional } = checklistTexts;
const COLORS = new Map<string, string>([
  [states.missing, 'yellow'],
  [optional, 'gray'],
]);

type Part = [to: string, label: string, state: string | undefined];

/** Returns the parts with their states. `questions`: undefined until read. */
function partsOf(config: ConfigRecord, questions: Questions | undefined): Part[] {
  const phrases = (list: PhraseList, none: string) => {
    const count = shownPhrases(config[list]).length;
    return count === 0 ? none : phrasesText(count);
  };
  const allWritten = (...values: (string | null)[]) => (values.some(isBlank) ? states.missing : states.done);
  const page = (to: AdminPath, state: Part[2]): Part => [to, adminPageTexts[to].title, state];
  const { titolo_destinazione_2, titolo_viaggio_2, data_partenza_2, data_ritorno_2 } = config;
  const details = allWritten(titolo_destinazione_2, titolo_viaggio_2, data_partenza_2, data_ritorno_2);
  return [
    page('/admin/intermediate-phrases', phrases('frasi_tra_viaggi', optional)),
    page('/admin/second-trip-phrases', phrases('frasi_secondo_viaggio', states.missing)),
    [`${PATH}#immagine`, places.picture, allWritten(config.immagine_destinazione_url_2)],
    [`${PATH}#biglietti`, places.tickets, allWritten(config.biglietti_url_2)],
    [`${PATH}#dettagli`, places.details, details],
    page(
      '/admin/second-trip-checkbox',
      questions && allWritten(questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2),
    ),
    page('/admin/second-trip-final-phrases', phrases('frasi_finali_secondo_viaggio', states.missing)),
  ];
}
