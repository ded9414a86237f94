import { Divider, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { isBlank } from '../../../../domain/blank.ts';
import type { Configuration, FieldOf } from '../../../../domain/configuration.ts';
import type { Viaggio } from '../../../../domain/content.ts';
import { italianDayOf, tripDays } from '../../../../domain/days.ts';
import { eveningTime } from '../../../../domain/evening.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { eachOf, keysOf } from '../../../../domain/records.ts';
import { tripMediaTexts as texts } from '../../../../texts/admin/media.ts';
import { type AdminPath, adminPageTexts } from '../../../../texts/admin/pages.ts';
import type { FormSentences, RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';
import type { RecordForm } from '../../components/forms/use-record-form.ts';
import { usePicture } from '../../components/media/focus/use-picture.ts';
import { MediaManager } from '../../components/media/media-manager.tsx';
import { WithConfig } from '../../components/media/with-config.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { PhonePreview } from '../../components/phone-frame/phone-preview.tsx';
import { CardScene, DestinationScene } from '../../components/phone-frame/trip-scenes.tsx';
import { WithPreview } from '../../components/phone-frame/with-preview.tsx';

type TripPageProps = {
  path: AdminPath;
  sentences: FormSentences;
  children: (config: ConfigRecord) => ReactNode;
};

/** The page of a trip, or its placeholder or error until the configuration is read. */
export function TripPage({ path, sentences, children }: TripPageProps) {
  return (
    <PageFrame title={adminPageTexts[path].title}>
      <WithConfig sentences={sentences}>{children}</WithConfig>
    </PageFrame>
  );
}

type TextField = FieldOf<'title' | 'date' | 'instructions'>;

/** Returns a form of texts without validation (spec 5), stored trimmed, or as null if blank. */
export function textsForm<F extends TextField>(
  name: string,
  labels: Record<F, string>,
  sentences: FormSentences,
): RecordFormOptions<ConfigRecord, Record<F, string>> {
  const fields = keysOf(labels);
  return {
    name,
    source: configSource,
    labels,
    toValues: (config) => eachOf(fields, (field) => config[field] ?? ''),
    toFields: (values): Partial<Record<TextField, string | null>> =>
      eachOf(fields, (field) => storedText(values[field])),
    sentences,
  };
}

type DateFieldsProps<F extends TextField> = {
  form: RecordForm<ConfigRecord, Record<F, string>>;
  fields: readonly [departure: F, back: F];
};

/** The two dates of a trip: free text, shown to the visitor as written (spec 3). */
export function DateFields<F extends TextField>({ form, fields }: DateFieldsProps<F>) {
  const [departure, back] = fields.map((field) => form.values[field]);
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.datesHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {fields.map((field) => (
          <TextInput
            key={field}
            label={form.options.labels[field]}
            placeholder={texts.datePlaceholder}
            maxLength={MAX_LENGTH.date}
            size="md"
            autoComplete="off"
            {...form.input(field)}
          />
        ))}
      </SimpleGrid>
      <Text size="sm" role="status">
        {inCalendar(departure ?? '', back ?? '', form.record)}
      </Text>
    </Stack>
  );
}

/** Returns the text that describes the keepsake's calendar file. The evening's date completes a date without a year. */
function inCalendar(departure: string, back: string, config: ConfigRecord): string {
  if (isBlank(departure) && isBlank(back)) return '';
  const evening = italianDayOf(new Date(eveningTime(config)?.begins ?? Date.now()));
  const days = tripDays(departure, back, evening);
  return days === null ? texts.noCalendar : texts.calendar(days);
}

type TripPartsProps = {
  /** The stored configuration with the typed values. */
  config: Configuration;
  viaggio: Viaggio;
  /** Shows the card above the picture's fields: without a picture, titles only appear there. */
  showsCard?: boolean;
  /** Fields next to the picture. */
  titles?: ReactNode;
  /** Save state of the fields next to the tickets. */
  bar?: ReactNode;
  /** Fields next to the tickets. */
  children: ReactNode;
};

/** Picture and tickets of a trip with their fields, each beside the phone that shows them as the visitor sees them. */
export function TripParts({ config, viaggio, showsCard = false, titles, bar, children }: TripPartsProps) {
  const second = viaggio === 2;
  const { fuoco, hues } = usePicture(viaggio);
  const trip = { config, viaggio, fuoco };
  const card = (
    <PhonePreview label={texts.cardPreview} hour="journey" hues={hues}>
      <CardScene {...trip} />
    </PhonePreview>
  );
  const destination = (
    <PhonePreview label={texts.destinationPreview} hour="journey" hues={hues}>
      <DestinationScene {...trip} missing={texts.noImage} />
    </PhonePreview>
  );
  return (
    <>
      <WithPreview preview={showsCard ? card : destination}>
        <Stack gap="xl">
          <MediaManager
            slot={second ? 'immagine_2' : 'immagine'}
            failsQuietly={second}
            section={{ id: 'immagine', ...(!second && { path: '/admin/immagine', first: true }) }}
          />
          {titles}
        </Stack>
      </WithPreview>
      <Divider visibleFrom="md" />
      <WithPreview bar={bar} preview={card}>
        <Stack gap="xl">
          <MediaManager
            slot={second ? 'biglietti_2' : 'biglietti'}
            failsQuietly={second}
            section={{ id: 'biglietti', ...(!second && { path: '/admin/biglietti' }) }}
          />
          {children}
        </Stack>
      </WithPreview>
    </>
  );
}
