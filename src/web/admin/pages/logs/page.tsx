import { Badge, Button, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_FILTERS, type EventRecord } from '../../../../contract/admin/logs.ts';
import { eventLabel } from '../../../../texts/admin/events.ts';
import { logsTexts } from '../../../../texts/admin/logs.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { Accesses } from './accesses.tsx';
import { EventEntry } from './event-entry.tsx';
import { ExportButton } from './export-button.tsx';
import styles from './page.module.css';

const { title, description } = adminPageTexts['/admin/logs'];
const CSV = '/api/admin/logs.csv';

/** `/admin/logs`: the accesses of each day, and the events, newest first (spec 2 «Event logs»). */
export function Page() {
  const [filter, setFilter] = useState<EventFilter>();
  const list = useQuery(
    queries.logs.list.queryOptions({
      input: filter === undefined ? {} : { event_type: filter },
      placeholderData: keepPreviousData,
    }),
  );
  const numbers = useQuery(queries.dashboard.queryOptions());
  return (
    <PageFrame
      title={title}
      description={description}
      counts={
        // Reserves its space while loading, because on a phone the buttons follow it.
        <Badge
          size="lg"
          variant="light"
          color="gray"
          tt="none"
          miw="7rem"
          style={list.data ? {} : { visibility: 'hidden' }}
        >
          {logsTexts.count(list.data?.totale ?? 0)}
        </Badge>
      }
      actions={
        <>
          <RefreshButton
            label={logsTexts.refresh}
            onRefresh={() => Promise.all([list.refetch(), numbers.refetch()])}
          />
          <ExportButton label={logsTexts.export} address={CSV} />
          <ExportButton label={logsTexts.exportExcel} address={`${CSV}?per=excel`} />
        </>
      }
    >
      <Loaded query={numbers} loadFailed={logsTexts.accesses.loadFailed} shape="cards" count={1}>
        {({ accessi_per_giorno }) => <Accesses days={accessi_per_giorno} />}
      </Loaded>
      <EventFilterField value={filter} onChange={setFilter} />
      <Loaded query={list} loadFailed={logsTexts.loadFailed} shape="rows" count={8}>
        {({ eventi, totale, solo_contati }) => (
          <>
            {eventi.length === 0 ? (
              <NoEvents filtered={filter !== undefined} onShowAll={() => setFilter(undefined)} />
            ) : (
              <Events eventi={eventi} totale={totale} />
            )}
            {solo_contati > 0 && (filter ?? 'access_denied') === 'access_denied' && (
              <Text size="sm" c="dimmed">
                {logsTexts.onlyCounted(solo_contati)}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </PageFrame>
  );
}

function Events({ eventi, totale }: { eventi: readonly EventRecord[]; totale: number }) {
  return (
    <>
      <ol className={styles.list} aria-label={logsTexts.list}>
        {eventi.map((event) => (
          <li key={event.id}>
            <EventEntry event={event} />
          </li>
        ))}
      </ol>
      {eventi.length < totale && (
        <Text size="sm" c="dimmed">
          {logsTexts.latestOnly(eventi.length, totale)}
        </Text>
      )}
    </>
  );
}

function NoEvents({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  if (!filtered) return <EmptyState drawing="events" title={logsTexts.empty} hint={logsTexts.emptyHint} />;
  return (
    <EmptyState
      drawing="events"
      title={logsTexts.emptyOfKind}
      action={
        <Button variant="default" mt="xs" onClick={onShowAll}>
          {logsTexts.showAll}
        </Button>
      }
    />
  );
}

/** Kind of events shown; undefined for all. */
type EventFilter = (typeof EVENT_FILTERS)[number] | undefined;

type EventFilterFieldProps = { value: EventFilter; onChange: (filter: EventFilter) => void };

const CHOICES = [
  { value: '', label: logsTexts.all },
  ...EVENT_FILTERS.map((value) => ({
    value,
    label: value === 'admin' ? logsTexts.admin : eventLabel(value),
  })),
];

/** The specification's five event types (spec 4 «Event types»), the administrator's own accesses, or all. */
function EventFilterField({ value, onChange }: EventFilterFieldProps) {
  return (
    <NativeSelect
      label={logsTexts.filter}
      data={CHOICES}
      value={value ?? ''}
      maw="20rem"
      onChange={({ currentTarget }) =>
        onChange(EVENT_FILTERS.find((option) => option === currentTarget.value))
      }
    />
  );
}
