import { createReadStream } from 'node:fs';
import type { BlockReason, MediaItem } from '../../../contract/admin/media.ts';
import { mediaIdOf } from '../../../domain/media.ts';
import type { AdminCtx } from '../../auth/actor.ts';
import { errorCode } from '../../db/errors.ts';
import type { Db } from '../../db/tables.ts';
import { publishChange } from '../../live/announce.ts';
import { NO_FFMPEG } from '../../media-worker/door.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { lockConfig } from '../config/config.repo.ts';
import { companionFile } from '../media/companion.ts';
import * as library from '../media/library.repo.ts';
import { filmItem, videoOf } from '../media/library.ts';
import { deleteMediaAt, findFile, mediaKey, storeMedia } from '../media/media.service.ts';
import { errorToRefusal } from './refusal.ts';
import { newUploadId } from './upload-folder.ts';

type PosterResult = { item: MediaItem; versione: number };
type PosterRefused = Refusal<'NOT_FOUND' | 'FILES_BUSY' | BlockReason>;

/** Timeout of drawing, in ms. */
const TIMEOUT_MS = 60_000;

/**
 * Draws a poster of a stored video and deletes the previous one. Refused while an upload is processed, which would take minutes.
 * @param second second of the film from which a good picture is searched
 */
export async function takePoster(
  ctx: AdminCtx,
  { id, second }: { id: string; second: number },
): Promise<PosterResult | PosterRefused> {
  const video = await videoOf(ctx.db, id);
  const film = video === null ? null : await findFile(ctx, mediaIdOf(video.url) ?? '');
  if (film === null) return refuse('NOT_FOUND');
  if (ctx.uploads.jobs.isBusy()) return refuse('FILES_BUSY');
  const posterResult = await draw(ctx, { id, key: mediaKey(film), second }).catch(
    (error: unknown): PosterRefused =>
      errorCode(error) === NO_FFMPEG ? refuse(NO_FFMPEG) : errorToRefusal(error),
  );
  if (!isRefused(posterResult)) publishChange(ctx, 'config');
  return posterResult;
}

async function draw(
  ctx: AdminCtx,
  { id, key, second }: { id: string; key: string; second: number },
): Promise<PosterResult | PosterRefused> {
  const { storage, uploads, mediaWorker } = ctx;
  return uploads.folder.withMade(newUploadId(), async ({ made }) => {
    const control = { signal: AbortSignal.timeout(TIMEOUT_MS), progress: () => undefined };
    const result = await storage.withLocalPath(key, (path) =>
      mediaWorker.run({ task: 'poster', path, output: made, second }, control),
    );
    if ('refused' in result) return refuse('UNAVAILABLE');
    const content = createReadStream(made);
    let posterResult: PosterResult | null = null;
    await storeMedia(ctx, { ...companionFile('poster'), content }, async (tx, { url }) => {
      await lockConfig(tx);
      await setPoster(tx, id, url, ctx.now());
      posterResult = await filmItem(tx, id);
    });
    return posterResult ?? refuse('NOT_FOUND');
  });
}

/** Deletes the new picture instead if the video was deleted in between. */
async function setPoster(tx: Db, video: string, url: string, now: Date): Promise<void> {
  const found = await library.findVideo(tx, video);
  await deleteMediaAt(tx, found === null ? url : found.poster_url, now);
  if (found !== null) await library.setPoster(tx, video, url);
}
