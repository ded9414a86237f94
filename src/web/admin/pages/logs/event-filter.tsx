import { NativeSelect } from '@mantine/core';
import { FILTERED_EVENTS } from '../../../../contract/admin/logs.ts';
import { eventLabel } from '../../../../texts/admin/events.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';

/** A kind of event, or undefined for all. */
export type EventFilter = (typeof FILTERED_EVENTS)[number] | undefined;

type EventFilterFieldProps = { value: EventFilter; onChange: (filter: EventFilter) => void };

const CHOICES = [
  { value: '', label: logsTexts.all },
  ...FILTERED_EVENTS.map((value) => ({ value, label: eventLabel(value) })),
];

/** The specification's five kinds, or all (spec 4 «Event types»). */
export function EventFilterField({ value, onChange }: EventFilterFieldProps) {
  return (
    <NativeSelect
      label={logsTexts.filter}
      data={CHOICES}
      value={value ?? ''}
      maw="20rem"
      onChange={({ currentTarget }) =>
        onChange(FILTERED_EVENTS.find((known) => known === currentTarget.value))
      }
    />
  );
}
