import type { Db } from '../../db/tables.ts';

/** A film of the list of which no light one was made, or tried, as it is now. `seconds`: null until they are known. */
export type FilmWithoutLight = { id: string; url: string; seconds: number | null };

/** How it ended. `needless`: it wouldn't be clearly smaller; `refused`: none can be made of it. */
export type Light = {
  light_state: 'made' | 'needless' | 'refused';
  light_url: string | null;
  /** The film's. */
  seconds: number | null;
};

/** The films that want a light one, the newest first. */
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

/** Notes how it ended. False where the film isn't in the list any more, is another file by now, or none is wanted any more. */
export async function saveLightResult(tx: Db, { id, url }: FilmWithoutLight, light: Light): Promise<boolean> {
  const noted = await tx
    .updateTable('videos')
    .set({ ...light, light_of: url })
    .where('id', '=', id)
    .where('url', '=', url)
    .where('light_on', '=', true)
    .returning('id')
    .executeTakeFirst();
  return noted !== undefined;
}

/** Notes that the machine was the reason why there is none: it stays to be made. */
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
