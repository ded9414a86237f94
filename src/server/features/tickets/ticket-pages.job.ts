import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MINUTE_MS } from '../../../domain/limits.ts';
import { MEDIA_SLOTS, mediaIdOf, TICKET_SLOTS, type TicketPage } from '../../../domain/media.ts';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/bus.ts';
import type { DrawnPages } from '../../media-worker/door.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { findConfig, lockConfig } from '../config/config.ts';
import { listFiles } from '../media/library.repo.ts';
import {
  companionFile,
  companionId,
  findFile,
  findMedias,
  insertMedia,
  type Media,
  mediaKey,
  pageKinds,
  putMedia,
  setPages,
  ticketKind,
} from '../media/media.ts';
import { newUploadId } from '../uploads/upload-folder.ts';

type JobDeps = Pick<
  Deps,
  'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now' | 'live' | 'log'
>;

const POLL_MS = MINUTE_MS;
/** System errors of a file before it is left until the next start. */
const MAX_ATTEMPTS = 5;

/**
 * Draws the pages of every stored ticket PDF: new uploads, joined files, and files of an older version. Returns a function that stops it.
 */
export function startTicketPages(deps: JobDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: POLL_MS,
    onIdle: (poll) => {
      const unsubscribe = [
        deps.uploads.jobs.onIdle(poll),
        deps.live.subscribe((message) => {
          if (message.type === 'changed' && message.topics.includes('config')) poll();
        }),
      ];
      return () => unsubscribe.forEach((each) => each());
    },
    work: (signal) => drawMissing(deps, signal, failures),
    failed: (error) => deps.log.error({ err: error }, 'search for undrawn tickets failed'),
  });
}

/** Draws missing pages, one file at a time. `failures`: number of system errors by file. */
export async function drawMissing(
  deps: JobDeps,
  signal: AbortSignal,
  failures = new Map<string, number>(),
): Promise<void> {
  for (const tickets of await listUndrawn(deps)) {
    const failed = failures.get(tickets.id) ?? 0;
    if (failed >= MAX_ATTEMPTS) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    try {
      await draw(deps, tickets, signal);
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted) return;
      failures.set(tickets.id, failed + 1);
      deps.log.warn({ err: error, media: tickets.id }, 'tickets could not be drawn');
    }
  }
}

async function listUndrawn({ db }: Pick<Deps, 'db'>): Promise<Media[]> {
  const lists = await Promise.all(TICKET_SLOTS.map((slot) => listFiles(db, MEDIA_SLOTS[slot])));
  const config = await findConfig(db);
  const active = TICKET_SLOTS.map((slot) => config?.[MEDIA_SLOTS[slot].field] ?? null);
  const ids = [...active, ...lists.flat().map(({ url }) => url)].flatMap((url) => mediaIdOf(url) ?? []);
  return (await findMedias(db, ids)).filter((media) => ticketKind(media) === 'pdf' && media.pages === null);
}

/** Draws one file. A file that can't be opened gets no pages. */
async function draw(deps: JobDeps, tickets: Media, signal: AbortSignal): Promise<void> {
  await deps.uploads.folder.withMade(newUploadId(), async ({ many: folder }) => {
    await mkdir(folder, { recursive: true });
    const control = { signal, progress: () => undefined };
    const result = await deps.storage.withLocalPath(mediaKey(tickets), (path) =>
      deps.mediaWorker.run({ task: 'pages', path, folder }, control),
    );
    const drawn = 'pages' in result ? result.pages : [];
    if (drawn.length === 0) deps.log.warn({ media: tickets.id, ...result }, 'tickets have no pages');
    await storePages(deps, tickets, { folder, drawn });
  });
}

async function storePages(
  deps: JobDeps,
  { id }: Media,
  { folder, drawn }: { folder: string; drawn: DrawnPages },
): Promise<void> {
  const rows: Parameters<typeof insertMedia>[1][] = [];
  const pages: TicketPage[] = [];
  for (const [index, finding] of drawn.entries()) {
    const urls: string[] = [];
    for (const kind of pageKinds(index + 1)) {
      const file = { ...companionFile(kind), content: createReadStream(join(folder, kind)) };
      const { row, stored } = await putMedia(deps, file, companionId(id, kind));
      rows.push(row);
      urls.push(stored.url);
    }
    const [url = '', small_url = ''] = urls;
    pages.push({ url, small_url, finding });
  }
  const write = deps.inTransaction(async (tx) => {
    await lockConfig(tx);
    const found = await findFile({ db: tx }, id);
    // Deleted in between: the sweep removes the bytes.
    if (found === null) return;
    for (const row of rows) await insertMedia(tx, { ...row, deleted_at: found.deleted_at });
    await setPages(tx, id, JSON.stringify(pages));
  });
  await write.catch((error: unknown) => {
    // Another node was faster: its rows are the same.
    if (!isUniqueViolation(error)) throw error;
  });
}
