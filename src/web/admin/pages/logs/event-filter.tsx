import { NativeSelect } from '@mantine/core';
import { EVENT_FILTERS } from '../../../../contract/admin/logs.ts';
import { eventLabel } from '../../../../texts/admin/events.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';

/** What is shown of the events; undefined for all. */
export type EventFilter = (typeof EVENT_FILTERS)[number] | undefined;

type EventFilterFieldProps = { value: EventFilter; onChange: (filter: EventFilter) => void };

const CHOICES = [
  { value: '', label: logsTexts.all },
  ...EVENT_FILTERS.map((value) => ({
    value,
    label: value === 'admin' ? logsTexts.admin : eventLabel(value),
  })),
];

/** The specification's five kinds (spec 4 «Event types»), the administrator's own access, or all. */
export function EventFilterField({ value, onChange }: EventFilterFieldProps) {
  return (
    <NativeSelect
      label={logsTexts.filter}
      data={CHOICES}
      value={value ?? ''}
      maw="20rem"
      onChange={({ currentTarget }) => onChange(EVENT_FILTERS.find((known) => known === currentTarget.value))}
    />
  );
}
