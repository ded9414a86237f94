import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CaptionRefusal, MediaItem } from '../../../contract/admin/media.ts';
import type { CaptionMode } from '../../../domain/media.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { adminCalls } from '../../auth/admin-calls.ts';
import type { Db } from '../../db/tables.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/announce.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { lockConfig } from '../config/config.repo.ts';
import { companionFile } from '../media/companion.ts';
import { setCaptions } from '../media/library.repo.ts';
import { filmItem, videoOf } from '../media/library.ts';
import { insertMedia } from '../media/media.repo.ts';
import { deleteMediaAt, putMedia } from '../media/media.service.ts';
import { errorToRefusal } from '../uploads/refusal.ts';
import { readCaptions, webVTTOf } from './read-captions.ts';

export const captionsCalls = calls(adminCalls.captions, { save: saveCaptions, remove: removeCaptions });

type SavedCaptions = { item: MediaItem; versione: number };
type CaptionsInput = { id: string; text: string; mode: CaptionMode };

/**
 * Stores a film's captions as a separate WebVTT file and deletes the previous ones. Visits in progress retain theirs.
 * @param text WebVTT or SRT
 */
export async function saveCaptions(
  ctx: AdminCtx,
  { id, text, mode }: CaptionsInput,
): Promise<SavedCaptions | Refusal<CaptionRefusal | 'NOT_FOUND' | 'STORAGE_FULL' | 'UNAVAILABLE'>> {
  if ((await videoOf(ctx.db, id)) === null) return refuse('NOT_FOUND');
  const read = readCaptions(text);
  if (isRefused(read)) return read;
  const end = Math.max(...read.map((caption) => caption.end));
  const file = { ...companionFile('captions'), content: Readable.from([webVTTOf(read)]) };
  const put = await putMedia(ctx, file, randomBytes(16).toString('hex')).catch(errorToRefusal);
  if (isRefused(put)) return put;
  return changeFilm(ctx, id, async (tx) => {
    await insertMedia(tx, put.row);
    await setCaptions(tx, id, { url: put.stored.url, mode, end });
  });
}

export function removeCaptions(
  ctx: AdminCtx,
  { id }: { id: string },
): Promise<SavedCaptions | Refusal<'NOT_FOUND'>> {
  return changeFilm(ctx, id, (tx) => setCaptions(tx, id, null));
}

/**
 * Deletes the film's captions and applies `change`. Changes nothing if the film was deleted; a stored file is left for
 * the sweep.
 */
async function changeFilm(
  ctx: AdminCtx,
  id: string,
  change: (tx: Db) => Promise<void>,
): Promise<SavedCaptions | Refusal<'NOT_FOUND'>> {
  const saved = await ctx.inTransaction(async (tx) => {
    await lockConfig(tx);
    const film = await videoOf(tx, id);
    if (film === null) return null;
    await deleteMediaAt(tx, film.captions_url, ctx.now());
    await change(tx);
    return filmItem(tx, id);
  });
  if (saved === null) return refuse('NOT_FOUND');
  publishChange(ctx, 'config');
  return saved;
}
