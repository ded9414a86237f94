import { mediaIdOf } from '../../../domain/media.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { findFile, mediaKey } from '../media/media.ts';
import { type Derived, startMaking } from '../media/missing.ts';

/** A destination picture without computed hues. */
type PictureWithoutHues = { id: string; url: string };

/** The hues of every destination picture. Until then the sky has its dress's colours. */
export const pictureHues: Derived<PictureWithoutHues> = {
  list: listUndrawn,
  /** Stores no hues if the picture can't be read. */
  async make(deps, { id, url }, signal) {
    const media = await findFile(deps, mediaIdOf(url) ?? '');
    const result =
      media &&
      (await deps.storage.withLocalPath(mediaKey(media), (path) =>
        deps.mediaWorker.run({ task: 'hues', path }, { signal, progress: () => undefined }),
      ));
    await deps.inTransaction((tx) => setHues(tx, id, result && 'hues' in result ? result.hues : []));
  },
  log: {
    field: 'picture',
    failed: 'the hues of a picture could not be drawn',
    searchFailed: 'looking for pictures without hues failed',
  },
};

export const startHuesJob = (deps: Deps) => startMaking(deps, pictureHues);

/** Returns those of both trips, newest first. */
export function listUndrawn(db: Db): Promise<PictureWithoutHues[]> {
  return db
    .selectFrom('immagini_destinazione')
    .select(['id', 'url'])
    .where('hues', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Stores a picture's hues; does nothing if it was deleted. */
export async function setHues(tx: Db, id: string, hues: readonly string[]): Promise<void> {
  await tx
    .updateTable('immagini_destinazione')
    .set({ hues: JSON.stringify(hues) })
    .where('id', '=', id)
    .execute();
}
