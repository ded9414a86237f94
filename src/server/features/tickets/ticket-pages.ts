import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { MEDIA_SLOTS, mediaIdOf, TICKET_SLOTS, type TicketPage } from '../../../domain/media.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { DrawnPages } from '../../media-worker/door.ts';
import { findConfig } from '../config/config.ts';
import { listFiles } from '../media/library.repo.ts';
import {
  companionFile,
  companionId,
  findMedias,
  type Media,
  mediaKey,
  pageKinds,
  putMedia,
  ticketKind,
} from '../media/media.ts';
import { type Derived, startMaking } from '../media/missing.ts';
import { newUploadId } from '../uploads/upload-folder.ts';
import { insertCompanions, pdfOf } from './tickets.ts';

/** The pages of every stored ticket PDF: new uploads, joined files, and files of an older version. */
export const ticketPages: Derived<Media> = {
  async list(db) {
    const config = await findConfig(db);
    const active = TICKET_SLOTS.map((slot) => config?.[MEDIA_SLOTS[slot].field] ?? null);
    const tickets = await findTickets(db, active);
    return tickets.filter((media) => ticketKind(media) === 'pdf' && media.pages === null);
  },
  /** A file that can't be opened gets no pages. */
  async make(deps, tickets, signal) {
    await deps.uploads.folder.withMade(newUploadId(), async ({ many: folder }) => {
      await mkdir(folder, { recursive: true });
      const result = await deps.storage.withLocalPath(mediaKey(tickets), (path) =>
        deps.mediaWorker.run({ task: 'pages', path, folder }, { signal, progress: () => undefined }),
      );
      const drawn = 'pages' in result ? result.pages : [];
      if (drawn.length === 0) deps.log.warn({ media: tickets.id, ...result }, 'tickets have no pages');
      await storePages(deps, tickets, folder, drawn);
    });
  },
  log: {
    field: 'media',
    failed: 'tickets could not be drawn',
    searchFailed: 'search for undrawn tickets failed',
  },
  topic: 'config',
};

export const startTicketPages = (deps: Deps) => startMaking(deps, ticketPages);

/** Returns the files at these addresses, then the listed tickets of both trips. */
async function findTickets(db: Db, urls: readonly (string | null)[] = []): Promise<Media[]> {
  const lists = await Promise.all(TICKET_SLOTS.map((slot) => listFiles(db, MEDIA_SLOTS[slot])));
  const ids = [...urls, ...lists.flat().map(({ url }) => url)].flatMap((url) => mediaIdOf(url) ?? []);
  const found = await findMedias(db, ids);
  return found.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
}

async function storePages(deps: Deps, tickets: Media, folder: string, drawn: DrawnPages): Promise<void> {
  const rows: Parameters<typeof insertCompanions>[2] = [];
  const pages: TicketPage[] = [];
  for (const [index, finding] of drawn.entries()) {
    const urls: string[] = [];
    for (const kind of pageKinds(index + 1)) {
      const file = { ...companionFile(kind), content: createReadStream(join(folder, kind)) };
      const { row, stored } = await putMedia(deps, file, companionId(tickets.id, kind));
      rows.push(row);
      urls.push(stored.url);
    }
    const [url = '', small_url = ''] = urls;
    pages.push({ url, small_url, finding });
  }
  await insertCompanions(deps, tickets, rows, JSON.stringify(pages));
}

/**
 * Builds missing PDFs of the listed ticket pictures once at startup, so that no visitor waits for them.
 * Returns a function that stops it.
 */
export function startPicturePdfs(deps: Deps): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const make = async () => {
    for (const tickets of await findTickets(deps.db)) {
      signal.throwIfAborted();
      await pdfOf(deps, tickets, signal).catch((error: unknown) => {
        signal.throwIfAborted();
        deps.log.error({ err: error, media: tickets.id }, 'tickets unreadable');
      });
    }
  };
  const made = make().catch((error: unknown) => {
    if (!signal.aborted) deps.log.error({ err: error }, 'looking for pictures of tickets failed');
  });
  return async () => {
    stopping.abort();
    await made;
  };
}
