import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { MediaItem } from '../../../contract/admin/media.ts';
import { MEDIA_SLOTS, mediaIdOf, type TicketSlot } from '../../../domain/media.ts';
import { joinTexts } from '../../../texts/admin/slots.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { publishChange } from '../../live/announce.ts';
import type { TicketPart } from '../../media-worker/door.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { lockConfig, setConfig } from '../config/config.repo.ts';
import { companionFile } from '../media/companion.ts';
import { insertTickets, SECOND_TRIP } from '../media/library.repo.ts';
import { readSlot } from '../media/library.ts';
import { insertMedia } from '../media/media.repo.ts';
import { findFile, type Media, mediaKey, putMedia, ticketKind } from '../media/media.service.ts';
import { errorToRefusal } from './refusal.ts';
import { newUploadId } from './upload-folder.ts';

type JoinInput = { slot: TicketSlot; ids: readonly string[] };
type Joined = { item: MediaItem; versione: number };
type JoinRefused = Refusal<
  'NOT_FOUND' | 'FILES_BUSY' | 'FILE_NOT_JOINABLE' | 'FILE_TOO_LARGE' | 'STORAGE_FULL' | 'UNAVAILABLE'
>;

/** Timeout of joining, in ms. */
const TIMEOUT_MS = 60_000;

/**
 * Joins stored tickets into one PDF, in the order of `ids`, and activates it; the tickets stay listed.
 * Refused while an upload is processed, which would take minutes.
 */
export async function joinTickets(ctx: AdminCtx, { slot, ids }: JoinInput): Promise<Joined | JoinRefused> {
  const files = await filesOf(ctx, slot, ids);
  if (files === null) return refuse('NOT_FOUND');
  if (ctx.uploads.jobs.isBusy()) return refuse('FILES_BUSY');
  const joined = await join(ctx, { slot, ids }, files).catch(errorToRefusal);
  if (!isRefused(joined)) publishChange(ctx, 'config');
  return joined;
}

/** Returns the stored files of listed tickets in this order, or null if one of them isn't listed. */
async function filesOf(ctx: AdminCtx, slot: TicketSlot, ids: readonly string[]): Promise<Media[] | null> {
  const { items } = await readSlot(ctx.db, slot);
  const files: Media[] = [];
  for (const ticketId of ids) {
    const listed = items.find(({ id }) => id === ticketId);
    const file = await findFile(ctx, mediaIdOf(listed?.url ?? null) ?? '');
    if (file === null) return null;
    files.push(file);
  }
  return files;
}

async function join(ctx: AdminCtx, where: JoinInput, files: readonly Media[]): Promise<Joined | JoinRefused> {
  const { uploads, mediaWorker } = ctx;
  return uploads.folder.withMade(newUploadId(), async ({ made }) => {
    const control = { signal: AbortSignal.timeout(TIMEOUT_MS), progress: () => undefined };
    const result = await withLocalPaths(ctx, files, (parts) =>
      mediaWorker.run({ task: 'join', parts, output: made }, control),
    );
    if ('refused' in result) return refuse('FILE_NOT_JOINABLE');
    if ((await stat(made)).size > MEDIA_SLOTS[where.slot].maxBytes) return refuse('FILE_TOO_LARGE');
    return storeJoined(ctx, where, made);
  });
}

/** Calls `work` with local paths of all files at once. */
function withLocalPaths<T>(
  deps: Pick<Deps, 'storage'>,
  [file, ...others]: readonly Media[],
  work: (parts: TicketPart[]) => Promise<T>,
  before: TicketPart[] = [],
): Promise<T> {
  if (file === undefined) return work(before);
  return deps.storage.withLocalPath(mediaKey(file), (path) =>
    withLocalPaths(deps, others, work, [...before, { path, kind: ticketKind(file) }]),
  );
}

/** Stores the joined PDF. Refuses it if one of the tickets was deleted in between; the sweep then removes the bytes. */
async function storeJoined(
  ctx: AdminCtx,
  { slot, ids }: JoinInput,
  path: string,
): Promise<Joined | Refusal<'NOT_FOUND'>> {
  const nome = joinTexts.fileName;
  const content = createReadStream(path);
  const { row, stored } = await putMedia(ctx, { ...companionFile('pdf'), nome, content }, newUploadId());
  return ctx.inTransaction(async (tx): Promise<Joined | Refusal<'NOT_FOUND'>> => {
    await lockConfig(tx);
    const { items } = await readSlot(tx, slot);
    if (!ids.every((id) => items.some((item) => item.id === id))) return refuse('NOT_FOUND');
    const { url } = stored;
    const { field, viaggio } = MEDIA_SLOTS[slot];
    const tipo = viaggio === 2 ? SECOND_TRIP : 'pdf';
    await insertMedia(tx, row);
    const id = crypto.randomUUID();
    await insertTickets(tx, { id, nome, url, tipo, created_at: row.created_at });
    await setConfig(tx, { [field]: url }, ctx.now());
    const saved = await readSlot(tx, slot);
    const item = saved.items.find((each) => each.id === id);
    return item === undefined ? refuse('NOT_FOUND') : { item, versione: saved.versione };
  });
}
