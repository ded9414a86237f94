import { createReadStream } from 'node:fs';
import { isUniqueViolation } from '../../db/errors.ts';
import type { Deps } from '../../deps.ts';
import type { MediaWorker } from '../../media-worker/worker.ts';
import { lockConfig } from '../config/config.ts';
import {
  companionFile,
  companionId,
  findFile,
  insertMedia,
  type Media,
  mediaKey,
  putMedia,
  ticketKind,
} from '../media/media.ts';
import { newUploadId } from '../uploads/upload-folder.ts';

type PdfDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now'>;

/** Timeout in ms for building a PDF, including the media worker's queue. */
const TIMEOUT_MS = 60_000;

/** Stored tickets can't be opened, or were deleted in between. */
export class TicketsUnreadable extends Error {
  override name = 'TicketsUnreadable';
}

/** PDFs being built, by media worker. Concurrent requests for one PDF share it. */
const builds = new WeakMap<MediaWorker, Map<string, Promise<Media>>>();

/**
 * Returns the PDF of stored tickets: the file itself, or a picture's companion PDF, which is built once if it is missing.
 * Rejects with `TicketsUnreadable`, `FileMissing` or the signal's reason.
 */
export async function pdfOf(
  deps: PdfDeps,
  tickets: Media,
  signal: AbortSignal = AbortSignal.timeout(TIMEOUT_MS),
): Promise<Media> {
  if (ticketKind(tickets) === 'pdf') return tickets;
  return (await findFile(deps, companionId(tickets.id, 'pdf'))) ?? makeOnce(deps, tickets, signal);
}

function makeOnce(deps: PdfDeps, picture: Media, signal: AbortSignal): Promise<Media> {
  const made = builds.get(deps.mediaWorker) ?? new Map<string, Promise<Media>>();
  builds.set(deps.mediaWorker, made);
  const known = made.get(picture.id);
  if (known !== undefined) return known;
  const making = make(deps, picture, signal).finally(() => made.delete(picture.id));
  made.set(picture.id, making);
  return making;
}

async function make(deps: PdfDeps, picture: Media, signal: AbortSignal): Promise<Media> {
  const { storage, uploads, mediaWorker } = deps;
  const id = companionId(picture.id, 'pdf');
  return uploads.folder.withMade(newUploadId(), async ({ made }) => {
    // Another process may have built it since the first look.
    const known = await findFile(deps, id);
    if (known !== null) return known;
    const result = await storage.withLocalPath(mediaKey(picture), (path) =>
      mediaWorker.run(
        { task: 'join', parts: [{ path, kind: ticketKind(picture) }], output: made },
        { signal, progress: () => undefined },
      ),
    );
    if ('refused' in result)
      throw new TicketsUnreadable(`A stored picture of tickets is refused: ${result.refused}`);
    const { row } = await putMedia(deps, { ...companionFile('pdf'), content: createReadStream(made) }, id);
    await insertPdfRow(deps, picture.id, row).catch((error: unknown) => {
      // Another process was faster: its row and bytes are the same.
      if (!isUniqueViolation(error)) throw error;
    });
    const stored = await findFile(deps, id);
    if (stored === null) throw new TicketsUnreadable('The picture has been removed meanwhile.');
    return stored;
  });
}

/** Inserts the row of a picture's PDF with the picture's deletion time. Does nothing if the picture is gone. */
function insertPdfRow(
  { inTransaction }: PdfDeps,
  picture: string,
  row: Parameters<typeof insertMedia>[1],
): Promise<void> {
  return inTransaction(async (tx) => {
    await lockConfig(tx);
    const found = await findFile({ db: tx }, picture);
    if (found !== null) await insertMedia(tx, { ...row, deleted_at: found.deleted_at });
  });
}
