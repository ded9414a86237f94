import { SimpleGrid, Stack, Text, TextInput, type TextInputProps } from '@mantine/core';
import { isBlank } from '../../../../domain/blank.ts';
import { italianDayOf } from '../../../../domain/days.ts';
import { eveningTime } from '../../../../domain/evening-time.ts';
import { MAX_LENGTH } from '../../../../domain/limits.ts';
import { tripDays } from '../../../../domain/trip-dates.ts';
import { tripMediaTexts as texts } from '../../../../texts/admin/media.ts';

type DateFieldsProps = {
  /** Properties of the two inputs. */
  departure: TextInputProps;
  back: TextInputProps;
  /** Configuration with the date of the evening, which completes a date without a year. */
  config: Parameters<typeof eveningTime>[0];
};

/** The two dates of a trip: free text, shown to the visitor as written (spec 3). */
export function DateFields({ departure, back, config }: DateFieldsProps) {
  const shared = {
    placeholder: texts.datePlaceholder,
    maxLength: MAX_LENGTH.date,
    size: 'md',
    autoComplete: 'off',
  } as const;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed">
        {texts.datesHint}
      </Text>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <TextInput label={texts.departure} {...shared} {...departure} />
        <TextInput label={texts.return} {...shared} {...back} />
      </SimpleGrid>
      <Text size="sm" role="status">
        {inCalendar(String(departure.value ?? ''), String(back.value ?? ''), config)}
      </Text>
    </Stack>
  );
}

/** Returns the text that describes the keepsake's calendar file. */
function inCalendar(departure: string, back: string, config: DateFieldsProps['config']): string {
  if (isBlank(departure) && isBlank(back)) return '';
  const evening = italianDayOf(new Date(eveningTime(config)?.begins ?? Date.now()));
  const days = tripDays(departure, back, evening);
  return days === null ? texts.noCalendar : texts.calendar(days);
}
