import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { MediaItem } from '../../../contract/admin/media.ts';
import { DISK_SPACE, MINUTE_MS } from '../../../domain/limits.ts';
import { isLightAlready, isWorthKeeping, mediaIdOf, mediaUrl } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Deps } from '../../deps.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { Preempted, type TaskControl } from '../../media-worker/worker.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { runWhenIdle } from '../../work/at-rest.ts';
import { lockConfig } from '../config/config.ts';
import { filmItem, videoOf } from '../media/library.ts';
import {
  companionFile,
  companionId,
  findFile,
  insertMedia,
  type Media,
  mediaKey,
  putMedia,
} from '../media/media.ts';
import { newUploadId } from '../uploads/upload-folder.ts';
import {
  type FilmWithoutLight,
  type Light,
  listUnmade,
  markLightFailed,
  saveLightResult,
  setLightOn,
} from './light.repo.ts';

export const lightCalls = calls(adminCalls.light, { want: setLightWanted });

export type LightDeps = Pick<Deps, 'db' | 'inTransaction' | 'storage' | 'uploads' | 'mediaWorker' | 'now'>;

const REFUSED: Light = { light_state: 'refused', light_url: null, seconds: null };

/**
 * Creates the light version of a stored film, or records that it has none. Rejects if it is aborted, preempted by other
 * work, or fails by an error of the machine; then nothing is stored.
 */
export async function makeLight(deps: LightDeps, film: FilmWithoutLight, signal: AbortSignal): Promise<void> {
  const media = await findFile(deps, mediaIdOf(film.url) ?? '');
  if (media === null) return saveResult(deps, film, REFUSED);
  const existing = await findFile(deps, companionId(media.id, 'light'));
  const control = { signal, progress: () => undefined };
  await deps.storage.withLocalPath(mediaKey(media), async (path) => {
    const seconds = film.seconds ?? (await secondsOf(deps, path, control));
    if (seconds === null) return saveResult(deps, film, REFUSED);
    const none: Light = { light_state: 'needless', light_url: null, seconds };
    // An earlier product version created it, before changing the film's volume and undoing that.
    if (existing !== null)
      return saveResult(deps, film, { ...none, light_state: 'made', light_url: mediaUrl(existing) });
    if (isLightAlready({ bytes: media.size, seconds })) return saveResult(deps, film, none);
    await deps.uploads.folder.withMade(newUploadId(), async ({ made }) => {
      const result = await deps.mediaWorker.run({ task: 'light', path, output: made }, control);
      if (!('output' in result)) return saveResult(deps, film, { ...none, light_state: 'refused' });
      const { size } = await stat(made);
      if (!isWorthKeeping(size, media.size)) return saveResult(deps, film, none);
      await storeLight(deps, { film, media, made, seconds });
    });
  });
}

/** Returns the film's duration in seconds, or null if it can't be read. */
async function secondsOf(
  { mediaWorker }: LightDeps,
  path: string,
  control: TaskControl,
): Promise<number | null> {
  const probed = await mediaWorker.run({ task: 'probe', kind: 'film', path }, control);
  return 'seen' in probed ? probed.seen.duration : null;
}

type LightOutput = { film: FilmWithoutLight; media: Media; made: string; seconds: number };

/** If the film was deleted during the conversion, the bytes are left for the sweep. */
async function storeLight(deps: LightDeps, { film, media, made, seconds }: LightOutput): Promise<void> {
  const file = { ...companionFile('light'), content: createReadStream(made) };
  const { row, stored } = await putMedia(deps, file, companionId(media.id, 'light'));
  await deps.inTransaction(async (tx) => {
    const light: Light = { light_state: 'made', light_url: stored.url, seconds };
    if (await saveLightResult(tx, film, light)) await insertMedia(tx, row);
  });
}

async function saveResult(deps: LightDeps, film: FilmWithoutLight, light: Light): Promise<void> {
  await deps.inTransaction((tx) => saveLightResult(tx, film, light));
}

/**
 * Turns a film's light version on or off. Off: it is not created or given to new visits, but an existing file stays, so
 * that turning it on needs no conversion. Visits in progress retain theirs.
 */
export async function setLightWanted(
  ctx: AdminCtx,
  { id, on }: { id: string; on: boolean },
): Promise<{ item: MediaItem; versione: number } | Refusal<'NOT_FOUND'>> {
  const saved = await ctx.inTransaction(async (tx) => {
    await lockConfig(tx);
    if ((await videoOf(tx, id)) === null) return null;
    await setLightOn(tx, id, on);
    return filmItem(tx, id);
  });
  if (saved === null) return refuse('NOT_FOUND');
  publishChange(ctx, 'config');
  return saved;
}

type JobDeps = LightDeps & Pick<Deps, 'live' | 'log'>;

/** Interval between checks for films without a light version, in ms. */
const POLL_MS = MINUTE_MS;
/** Maximum attempts per film after errors of the machine, until a restart. */
const MAX_ATTEMPTS = 5;

/**
 * Creates the light version of every listed film, one at a time, while no other media work is pending; also of films
 * older than this feature. Returns a function that stops it.
 */
export function startLightJob(deps: JobDeps): () => Promise<void> {
  const failures = new Map<string, number>();
  return runWhenIdle({
    ms: POLL_MS,
    onIdle: deps.uploads.jobs.onIdle,
    work: (signal) => makeMissing(deps, failures, signal),
    failed: (error) => deps.log.error({ err: error }, 'looking for films to make light failed'),
  });
}

/** Creates missing light versions until other work is pending. `failures`: number of machine errors per film. */
export async function makeMissing(
  deps: JobDeps,
  failures: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  for (const film of await listUnmade(deps.db)) {
    const attempts = failures.get(film.url) ?? 0;
    if (attempts >= MAX_ATTEMPTS) continue;
    if (signal.aborted || deps.uploads.jobs.isBusy()) return;
    // A light film is small, but optional: it needs ample free space.
    if ((await deps.uploads.folder.freeBytes()) < 2 * DISK_SPACE.low) return;
    try {
      await makeLight(deps, film, signal);
      publishChange(deps, 'config');
    } catch (error) {
      if (signal.aborted || error instanceof Preempted) return;
      failures.set(film.url, attempts + 1);
      deps.log.warn({ err: error, video: film.id }, 'a light film could not be made');
      if (attempts + 1 < MAX_ATTEMPTS) continue;
      await deps.inTransaction((tx) => markLightFailed(tx, film));
      publishChange(deps, 'config');
    }
  }
}
