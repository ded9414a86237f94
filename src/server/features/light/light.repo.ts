import type { Db } from '../../db/tables.ts';

/** A listed film whose present file has no light version or final result. `seconds` is null until known. */
export type FilmWithoutLight = { id: string; url: string; seconds: number | null };

/** Result of a conversion. `needless`: not clearly smaller; `refused`: the film can't be converted. */
export type Light = {
  light_state: 'made' | 'needless' | 'refused';
  light_url: string | null;
  /** Duration of the film, in seconds. */
  seconds: number | null;
};

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

export async function setLightOn(tx: Db, id: string, on: boolean): Promise<void> {
  await tx.updateTable('videos').set({ light_on: on }).where('id', '=', id).execute();
}
