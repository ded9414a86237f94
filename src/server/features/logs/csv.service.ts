import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CSV_BEGINNING, csvOf, type Separator } from '../../../domain/csv.ts';
import { italianDayOf } from '../../../domain/days.ts';
import { csvTexts, eventLabel, NOT_AVAILABLE } from '../../../texts/admin/events.ts';
import { exactMoment } from '../../../texts/dates.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import { eventsAfter, type ListedEvent } from './logs.repo.ts';

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
  const first = await eventsAfter(db, null, PAGE);
  return Readable.from(pages(db, first, separator), { objectMode: false, highWaterMark: BUFFER_BYTES });
}

async function* pages(db: Db, first: ListedEvent[], separator: Separator): AsyncGenerator<string> {
  yield CSV_BEGINNING + csvOf([csvTexts.columns], separator);
  for (let page = first; ; ) {
    const last = page.at(-1);
    if (last !== undefined) yield csvOf(page.map(cellsOf), separator);
    if (last === undefined || page.length < PAGE) return;
    // A fast reader would block other requests.
    await nextTurn();
    page = await eventsAfter(db, last, PAGE);
  }
}

function cellsOf(event: ListedEvent): string[] {
  return [
    exactMoment(event.created_at),
    eventLabel(event.event_type),
    event.token_value ?? NOT_AVAILABLE,
    event.device_id ?? NOT_AVAILABLE,
    event.success ? csvTexts.yes : csvTexts.no,
    event.error_message ?? '',
  ];
}
