import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { InferContractRouterInputs, InferContractRouterOutputs } from '@orpc/contract';
import { z } from 'zod';
import { type EventRecord, eventSchema, SECURITY_EVENTS } from '../../../contract/admin/logs.ts';
import type { contract } from '../../../contract/contract.ts';
import { CSV_BEGINNING, csvOf, type Separator } from '../../../domain/csv.ts';
import { italianDayOf } from '../../../domain/days.ts';
import { LIST_SIZES } from '../../../domain/limits.ts';
import { csvTexts, eventLabel, NOT_AVAILABLE } from '../../../texts/admin/logs.ts';
import { exactMoment } from '../../../texts/dates.ts';
import { type AdminCtx, adminCalls, isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls } from '../../http/calls.ts';
import { guarded } from '../../http/request-context.ts';
import { fileHeaders, sendDownload } from '../../http/send.ts';
import type { Transfers } from '../../live/transfers.ts';
import { totalRefused } from './refused-tries.repo.ts';

export const logsCalls = calls(adminCalls.logs, { list: listLogs });

type Input = InferContractRouterInputs<typeof contract>['admin']['logs']['list'];
type Output = InferContractRouterOutputs<typeof contract>['admin']['logs']['list'];

/** Returns the latest events and their total, optionally of one kind (spec 2 «Event logs», 7). */
export async function listLogs({ db }: AdminCtx, { event_type }: Input): Promise<Output> {
  const kinds = event_type === 'admin' ? SECURITY_EVENTS : event_type && [event_type];
  const [rows, totale, solo_contati] = await Promise.all([
    findEvents(db, LIST_SIZES.events, { kinds }),
    countEvents(db, kinds),
    totalRefused(db),
  ]);
  return {
    eventi: rows.map((row) => ({ ...row, metadata: metadataOf(row.metadata) })),
    totale,
    solo_contati,
  };
}

const metadataSchema = z.record(z.string(), z.unknown());

/** Parses the stored metadata; returns an empty object if it is invalid. */
function metadataOf(stored: string): EventRecord['metadata'] {
  try {
    return metadataSchema.parse(JSON.parse(stored));
  } catch {
    return {};
  }
}

export async function countEvents(db: Db, kinds?: readonly string[]): Promise<number> {
  const { count } = await db
    .selectFrom('event_logs')
    .select((eb) => eb.fn.countAll().as('count'))
    .$if(kinds !== undefined, (all) => all.where('event_type', 'in', kinds ?? []))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** A stored event; its metadata are JSON. */
type StoredEvent = Omit<EventRecord, 'metadata'> & { metadata: string };

/**
 * Returns the latest events, newest first.
 * @param kinds types of event; all if undefined
 * @param after returns only those after this one in the same order
 */
export function findEvents(
  db: Db,
  limit: number,
  { kinds, after }: { kinds?: readonly string[] | undefined; after?: StoredEvent } = {},
): Promise<StoredEvent[]> {
  let events = db
    .selectFrom('event_logs')
    .select(eventSchema.keyof().options)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (kinds !== undefined) events = events.where('event_type', 'in', kinds);
  if (after !== undefined)
    events = events
      .where('created_at', '<=', after.created_at)
      .where((eb) => eb.or([eb('created_at', '<', after.created_at), eb('id', '<', after.id)]));
  return events.execute();
}

export function logsCsvEndpoint(transfers: Transfers): Endpoint {
  const answer = guarded(requireAdmin, async (c, ctx, request) => {
    const separator = c.req.query('per') === 'excel' ? ';' : ',';
    return sendDownload(c, {
      headers: fileHeaders({ type: 'text/csv; charset=utf-8', name: csvName(ctx.now(), separator) }),
      open: () => logsCsv(ctx, separator),
      hold: (cut) => transfers.hold(cut, () => isStillAdmin(request)),
      failure: 'the CSV broke off',
    });
  });
  return {
    method: 'GET',
    path: '/admin/logs.csv',
    summary: 'Every event as CSV (RFC 4180, every cell quoted, UTF-8 with a BOM), newest first',
    operation: {
      parameters: [
        {
          name: 'per',
          in: 'query',
          schema: { type: 'string', enum: ['excel'] },
          description: 'Semicolons, at which a spreadsheet in Italian splits.',
        },
      ],
    },
    responseType: 'text/csv',
    refusals: ['SIGN_IN_REQUIRED'],
    answer,
  };
}

/** Events per query. A small page rarely survives a minor garbage collection, so that the process does not grow. */
const PAGE = 100;
/** Bytes buffered ahead of the reader. */
const BUFFER_BYTES = 64 * 1024;

export function csvName(now: Date, separator: Separator = ','): string {
  return `event_logs_${italianDayOf(now)}${separator === ';' ? '_excel' : ''}.csv`;
}

/**
 * Streams all events as CSV, newest first (spec 7): RFC 4180, every cell quoted, UTF-8 with a BOM. Reads page by page
 * at the reader's pace. Excludes events added during the download. Rejects if the first page can't be read.
 */
export async function logsCsv({ db }: AdminCtx, separator: Separator = ','): Promise<Readable> {
  const first = await findEvents(db, PAGE);
  return Readable.from(pages(db, first, separator), { objectMode: false, highWaterMark: BUFFER_BYTES });
}

async function* pages(db: Db, first: StoredEvent[], separator: Separator): AsyncGenerator<string> {
  yield CSV_BEGINNING + csvOf([csvTexts.columns], separator);
  for (let page = first; ; ) {
    const last = page.at(-1);
    if (last !== undefined) yield csvOf(page.map(cellsOf), separator);
    if (last === undefined || page.length < PAGE) return;
    // A fast reader would block other requests.
    await nextTurn();
    page = await findEvents(db, PAGE, { after: last });
  }
}

function cellsOf(event: StoredEvent): string[] {
  return [
    exactMoment(event.created_at),
    eventLabel(event.event_type),
    event.token_value ?? NOT_AVAILABLE,
    event.device_id ?? NOT_AVAILABLE,
    event.success ? csvTexts.yes : csvTexts.no,
    event.error_message ?? '',
  ];
}
