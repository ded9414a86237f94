import { Badge, Button, NativeSelect, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { EVENT_FILTERS, type EventRecord } from '../../../../contract/admin/logs.ts';
import { DEVICE_ID_SHOWN } from '../../../../domain/limits.ts';
import { humanSize, momentOf } from '../../../../texts/admin/formats.ts';
import { eventLabel, eventSentence, logsTexts } from '../../../../texts/admin/logs.ts';
import { adminPageTexts } from '../../../../texts/admin/pages.ts';
import { longMoment } from '../../../../texts/dates.ts';
import { ApiError, parseApiError } from '../../../api/failure.ts';
import { deviceOf } from '../../../device.ts';
import { IconChevronDown, IconDownload } from '../../../ui/icons/icons.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { toastError, toastSuccess } from '../../../ui/toaster/toast.ts';
import { queries } from '../../api.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { RefreshButton } from '../../components/live-table/refresh-button.tsx';
import { shorten } from '../../components/live-table/shorten.ts';
import { Loaded } from '../../components/loaded.tsx';
import { PageFrame } from '../../components/page-frame.tsx';
import { messageOf } from '../../failure.ts';
import { requestSignIn } from '../../signed-out.ts';
import { Accesses } from './accesses.tsx';
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
      <EventFilterField value={filter} onChange={setFilter} />
      <Loaded query={numbers} loadFailed={logsTexts.accesses.loadFailed} shape="cards" count={1}>
        {({ accessi_per_giorno }) => <Accesses days={accessi_per_giorno} />}
      </Loaded>
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

/** An event as a sentence, with its stored data in a collapsed part. */
function EventEntry({ event }: { event: EventRecord }) {
  const { event_type, created_at } = event;
  const sentence = eventSentence(event);
  const failure = failureText(event);
  const facts = extraFacts(sentence, event);
  return (
    <details className={styles.entry}>
      <summary className={styles.row}>
        <time dateTime={created_at} title={longMoment(created_at)} className={styles.moment}>
          {momentOf(created_at)}
        </time>
        <div className={styles.kind}>
          <EventBadge event_type={event_type} />
        </div>
        <div className={styles.told}>
          <Text component="p">{sentence}</Text>
          {failure !== null && (
            <Text size="sm" c="var(--mantine-color-error)">
              {failure}
            </Text>
          )}
          {facts !== '' && (
            <Text size="sm" c="dimmed">
              {facts}
            </Text>
          )}
        </div>
        <IconChevronDown size={18} className={styles.chevron} aria-hidden />
      </summary>
      <pre className={styles.raw} aria-label={logsTexts.details}>
        {JSON.stringify(event, null, 2)}
      </pre>
    </details>
  );
}

/** Returns that the event failed and why, unless the sentence states it. */
function failureText({ event_type, success, error_message }: EventRecord): string | null {
  if (success || event_type === 'access_denied') return null;
  return error_message === null ? logsTexts.failed : `${logsTexts.failed}: ${error_message}`;
}

/** Returns the code, unless the sentence has it, and the device. */
function extraFacts(sentence: string, { token_value, device_id, user_agent }: EventRecord): string {
  const code = token_value !== null && sentence.includes(token_value) ? null : token_value;
  const device = device_id === null ? null : shorten(device_id, DEVICE_ID_SHOWN.logs);
  const machine = user_agent === null ? null : deviceOf(user_agent).words;
  return [code, device, machine].filter((fact) => fact !== null).join(' · ');
}

type ExportButtonProps = { label: string; address: string };

/** Downloads all events as a CSV file, which the server streams. */
function ExportButton({ label, address }: ExportButtonProps) {
  const [received, setReceived] = useState<number>();
  const exportAll = async () => {
    setReceived(0);
    try {
      const { name, content } = await fetchCsv(address, setReceived);
      saveFile(name, content);
      toastSuccess(logsTexts.exported);
    } catch (error) {
      toastError(messageOf(error, logsTexts.exportFailed));
    }
    setReceived(undefined);
  };
  const working = received !== undefined;
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      disabled={working}
      onClick={() => void exportAll()}
    >
      {working ? [logsTexts.exporting, received > 0 && humanSize(received)].filter(Boolean).join(' ') : label}
    </Button>
  );
}

type CsvFile = { name: string; content: Blob };

/**
 * Reads the whole file, without a timeout. Rejects with an `ApiError`, or with the network's error if the stream breaks.
 * @param received called with the bytes received
 */
async function fetchCsv(address: string, received: (bytes: number) => void): Promise<CsvFile> {
  const response = await fetchSignedIn(address);
  const reader = response.body?.getReader();
  if (reader === undefined) throw new ApiError('UNREADABLE', logsTexts.exportFailed);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    bytes += next.value.byteLength;
    received(bytes);
  }
  return { name: fileName(response), content: new Blob(chunks, { type: 'text/csv;charset=utf-8' }) };
}

/** Requests a new sign-in if the session has ended, and repeats the request. */
async function fetchSignedIn(address: string): Promise<Response> {
  const response = await fetch(address, { cache: 'no-store' });
  if (response.ok) return response;
  const failure = parseApiError(await response.json().catch(() => undefined), response.status);
  if (failure.codice === 'SIGN_IN_REQUIRED' && (await requestSignIn())) return fetchSignedIn(address);
  throw failure;
}

/** Returns the server's file name, `event_logs_{date}.csv` or `…_excel.csv`. */
function fileName({ headers }: Response): string {
  return /filename="?([^";]+)"?/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'event_logs.csv';
}

/** Colours of the event types (spec 4 «Event types»). */
const COLORS = new Map([
  ['session_started', 'teal'],
  ['session_ended', 'indigo'],
  ['access_granted', 'green'],
  ['access_denied', 'red'],
  ['forced_disconnect', 'orange'],
  ['token_created', 'blue'],
  ['token_revoked', 'grape'],
  ['admin_signed_in', 'cyan'],
  ['admin_sign_in_failed', 'red'],
  ['admin_password_changed', 'violet'],
  ['admin_email_changed', 'violet'],
  ['admin_sessions_ended', 'violet'],
  ['archive_downloaded', 'violet'],
  ['archive_restored', 'violet'],
]);
/** Colour of an unknown event type, shown with its raw name. */
const NEUTRAL = 'gray';

/** An event type's name and colour. */
function EventBadge({ event_type }: { event_type: string }) {
  return (
    <Badge variant="light" tt="none" color={COLORS.get(event_type) ?? NEUTRAL} data-event={event_type}>
      {eventLabel(event_type)}
    </Badge>
  );
}
