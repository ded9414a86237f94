import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DISK_SPACE } from '../../../domain/limits.ts';
import { isLightAlready, isWorthKeeping, mediaIdOf, mediaUrl } from '../../../domain/media.ts';
import { type AdminCtx, adminCalls } from '../../auth/actor.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { calls } from '../../http/calls.ts';
import { publishChange } from '../../live/bus.ts';
import { changeFilm } from '../media/library.ts';
import { companionFile, companionId, findFile, insertMedia, mediaKey, putMedia } from '../media/media.ts';
import { type Derived, startMaking } from '../media/missing.ts';
import { newUploadId } from '../uploads/upload-folder.ts';

export const lightCalls = calls(adminCalls.light, { want: setLightWanted });

/**
 * Turns a film's light version on or off. Off: it is not created or given to new visits, but an existing file stays, so
 * that turning it on needs no conversion. Visits in progress retain theirs.
 */
export function setLightWanted(ctx: AdminCtx, { id, on }: { id: string; on: boolean }) {
  return changeFilm(ctx, id, (tx) => setLightOn(tx, id, on));
}

export async function setLightOn(tx: Db, id: string, on: boolean): Promise<void> {
  await tx.updateTable('videos').set({ light_on: on }).where('id', '=', id).execute();
}

/** A listed film whose present file has no light version or final result. `seconds` is null until known. */
type FilmWithoutLight = { id: string; url: string; seconds: number | null };

/** Result of a conversion. `needless`: not clearly smaller; `refused`: the film can't be converted. */
type Light = {
  light_state: 'made' | 'needless' | 'refused';
  light_url: string | null;
  /** Duration of the film, in seconds. */
  seconds: number | null;
};

/** The light version of every listed film. */
export const lightFilms: Derived<FilmWithoutLight> = {
  list: listUnmade,
  // A light film is small, but optional: it needs ample free space.
  isReady: async ({ uploads }) => (await uploads.folder.freeBytes()) >= 2 * DISK_SPACE.low,
  make: makeLight,
  async giveUp(deps, film) {
    await deps.inTransaction((tx) => markLightFailed(tx, film));
    publishChange(deps, 'config');
  },
  log: {
    field: 'video',
    failed: 'a light film could not be made',
    searchFailed: 'looking for films to make light failed',
  },
};

export const startLightJob = (deps: Deps) => startMaking(deps, lightFilms);

/** Creates the light version of a stored film, or records that it has none. */
async function makeLight(deps: Deps, film: FilmWithoutLight, signal: AbortSignal): Promise<void> {
  const save = (light: Light) => deps.inTransaction((tx) => saveLightResult(tx, film, light));
  const refused: Light = { light_state: 'refused', light_url: null, seconds: null };
  const media = await findFile(deps, mediaIdOf(film.url) ?? '');
  if (media === null) return void (await save(refused));
  const id = companionId(media.id, 'light');
  const existing = await findFile(deps, id);
  const control = { signal, progress: () => undefined };
  const secondsOf = async (path: string) => {
    const probed = await deps.mediaWorker.run({ task: 'probe', kind: 'film', path }, control);
    return 'seen' in probed ? probed.seen.duration : null;
  };
  await deps.storage.withLocalPath(mediaKey(media), async (path) => {
    const seconds = film.seconds ?? (await secondsOf(path));
    if (seconds === null) return save(refused);
    const needless: Light = { light_state: 'needless', light_url: null, seconds };
    // An earlier product version created it, before changing the film's volume and undoing that.
    if (existing !== null) return save({ ...needless, light_state: 'made', light_url: mediaUrl(existing) });
    if (isLightAlready({ bytes: media.size, seconds })) return save(needless);
    return deps.uploads.folder.withMade(newUploadId(), async ({ made }) => {
      const result = await deps.mediaWorker.run({ task: 'light', path, output: made }, control);
      if (!('output' in result)) return save({ ...refused, seconds });
      if (!isWorthKeeping((await stat(made)).size, media.size)) return save(needless);
      const { row, stored } = await putMedia(
        deps,
        { ...companionFile('light'), content: createReadStream(made) },
        id,
      );
      // If the film was deleted during the conversion, the bytes are left for the sweep.
      return deps.inTransaction(async (tx) => {
        const light: Light = { light_state: 'made', light_url: stored.url, seconds };
        if (await saveLightResult(tx, film, light)) await insertMedia(tx, row);
        return true;
      });
    });
  });
}

/** Returns the films that need a light version, newest first. */
export function listUnmade(db: Db): Promise<FilmWithoutLight[]> {
  return db
    .selectFrom('videos')
    .select(['id', 'url', 'seconds'])
    .where('light_on', '=', true)
    .where((eb) => eb.or([eb('light_of', 'is', null), eb('light_of', '<>', eb.ref('url'))]))
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores the result. Returns false if the film was deleted, has another file now, or its light version was turned off. */
export async function saveLightResult(tx: Db, { id, url }: FilmWithoutLight, light: Light): Promise<boolean> {
  const saved = await tx
    .updateTable('videos')
    .set({ ...light, light_of: url })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('light_on', '=', true)
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Records a failure of the machine; the film stays pending. */
export async function markLightFailed(tx: Db, { id, url }: FilmWithoutLight): Promise<void> {
  await tx
    .updateTable('videos')
    .set({ light_state: 'failed', light_of: null, light_url: null })
    .where('id', '=', id)
    .where('url', '=', url)
    .execute();
}
