import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { MEDIA_SLOTS, mediaIdOf, type TicketSlot } from '../../../domain/media.ts';
import { joinTexts } from '../../../texts/admin/slots.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { errorCode } from '../../db/errors.ts';
import { publishChange } from '../../live/bus.ts';
import { NO_FFMPEG, type TicketPart } from '../../media-worker/door.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { lockConfig, setConfig } from '../config/config.ts';
import * as library from '../media/library.repo.ts';
import { changeFilm, readSlot, type SavedItem, videoOf } from '../media/library.ts';
import {
  companionFile,
  deleteMediaAt,
  findFile,
  insertMedia,
  type Media,
  mediaKey,
  putMedia,
  ticketKind,
} from '../media/media.ts';
import { errorToRefusal } from './make.ts';
import { newUploadId } from './upload-folder.ts';

/** Timeout of making one file, in ms. */
const TIMEOUT_MS = 60_000;

/** Makes a file from stored ones. Refused while an upload is processed, which would take minutes. */
async function makeFile<R extends SavedItem | Refusal>(
  { uploads }: AdminCtx,
  work: (made: string, control: TaskControl) => Promise<R>,
) {
  if (uploads.jobs.isBusy()) return refuse('FILES_BUSY');
  const control = { signal: AbortSignal.timeout(TIMEOUT_MS), progress: () => undefined };
  return uploads.folder.withMade(newUploadId(), ({ made }) => work(made, control)).catch(errorToRefusal);
}

/**
 * Draws a poster of a stored video and deletes the previous one.
 * @param second second of the film from which a good picture is searched
 */
export async function takePoster(ctx: AdminCtx, { id, second }: { id: string; second: number }) {
  const listed = await videoOf(ctx.db, id);
  const film = listed === null ? null : await findFile(ctx, mediaIdOf(listed.url) ?? '');
  if (film === null) return refuse('NOT_FOUND');
  return makeFile(ctx, async (made, control) => {
    const drawn = await ctx.storage
      .withLocalPath(mediaKey(film), (path) =>
        ctx.mediaWorker.run({ task: 'poster', path, output: made, second }, control),
      )
      .catch((error: unknown) => {
        if (errorCode(error) === NO_FFMPEG) return refuse(NO_FFMPEG);
        throw error;
      });
    if ('refused' in drawn) return refuse(drawn.refused === NO_FFMPEG ? NO_FFMPEG : 'UNAVAILABLE');
    const file = { ...companionFile('poster'), content: createReadStream(made) };
    const { row, stored } = await putMedia(ctx, file, newUploadId());
    // If the film was deleted in between, the sweep removes the bytes.
    return changeFilm(ctx, id, async (tx, { poster_url }) => {
      await insertMedia(tx, row);
      await deleteMediaAt(tx, poster_url, ctx.now());
      await library.setPoster(tx, id, stored.url);
    });
  });
}

/** Joins stored tickets into one PDF, in the order of `ids`, and activates it; the tickets stay listed. */
export async function joinTickets(
  ctx: AdminCtx,
  { slot, ids }: { slot: TicketSlot; ids: readonly string[] },
) {
  const files = await filesOf(ctx, slot, ids);
  if (files === null) return refuse('NOT_FOUND');
  const { field, viaggio, maxBytes } = MEDIA_SLOTS[slot];
  return makeFile(ctx, async (made, control) => {
    const joined = await withLocalPaths(ctx, files, (parts) =>
      ctx.mediaWorker.run({ task: 'join', parts, output: made }, control),
    );
    if ('refused' in joined) return refuse('FILE_NOT_JOINABLE');
    if ((await stat(made)).size > maxBytes) return refuse('FILE_TOO_LARGE');
    const nome = joinTexts.fileName;
    const file = { ...companionFile('pdf'), nome, content: createReadStream(made) };
    const { row, stored } = await putMedia(ctx, file, newUploadId());
    const saved = await ctx.inTransaction(async (tx) => {
      await lockConfig(tx);
      const { items } = await readSlot(tx, slot);
      // One of the tickets was deleted in between: the sweep removes the bytes.
      if (!ids.every((id) => items.some((item) => item.id === id))) return refuse('NOT_FOUND');
      const { url } = stored;
      const listed = { id: crypto.randomUUID(), nome, url, created_at: row.created_at };
      await insertMedia(tx, row);
      await library.insertTickets(tx, { ...listed, tipo: viaggio === 2 ? library.SECOND_TRIP : 'pdf' });
      await setConfig(tx, { [field]: url }, ctx.now());
      const { items: after, versione } = await readSlot(tx, slot);
      const item = after.find(({ id }) => id === listed.id);
      return item === undefined ? refuse('NOT_FOUND') : { item, versione };
    });
    if (!isRefused(saved)) publishChange(ctx, 'config');
    return saved;
  });
}

/** Returns the stored files of listed tickets in this order, or null if one of them isn't listed. */
async function filesOf(ctx: AdminCtx, slot: TicketSlot, ids: readonly string[]): Promise<Media[] | null> {
  const { items } = await readSlot(ctx.db, slot);
  const urls = ids.map((ticketId) => items.find(({ id }) => id === ticketId)?.url ?? null);
  const files = await Promise.all(urls.map((url) => findFile(ctx, mediaIdOf(url) ?? '')));
  const found = files.filter((file) => file !== null);
  return found.length === ids.length ? found : null;
}

/** Calls `work` with local paths of all files at once. */
function withLocalPaths<T>(
  ctx: AdminCtx,
  [file, ...others]: readonly Media[],
  work: (parts: TicketPart[]) => Promise<T>,
  before: TicketPart[] = [],
): Promise<T> {
  if (file === undefined) return work(before);
  return ctx.storage.withLocalPath(mediaKey(file), (path) =>
    withLocalPaths(ctx, others, work, [...before, { path, kind: ticketKind(file) }]),
  );
}
