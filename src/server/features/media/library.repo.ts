import type { Insertable, Selectable } from 'kysely';
import type { MediaItem } from '../../../contract/admin/media.ts';
import {
  endsAfterFilm,
  type FilmCaptions,
  type MediaSlot,
  type StoredLight,
  storedCaptions,
  storedLight,
} from '../../../domain/media.ts';
import type { Fuoco } from '../../../domain/pictures.ts';
import type { BigliettiTable, Db, ImmaginiDestinazioneTable, VideosTable } from '../../db/tables.ts';
import { pictureFacts } from '../visit/snapshot.ts';

/** Lists of uploaded files that the administrator can select for the surprise (spec 3). */

export async function insertVideo(tx: Db, video: Insertable<VideosTable>): Promise<void> {
  await tx.insertInto('videos').values(video).execute();
}

export async function insertTickets(tx: Db, tickets: Insertable<BigliettiTable>): Promise<void> {
  await tx.insertInto('biglietti').values(tickets).execute();
}

export async function insertImage(tx: Db, image: Insertable<ImmaginiDestinazioneTable>): Promise<void> {
  await tx.insertInto('immagini_destinazione').values(image).execute();
}

export type Video = Selectable<VideosTable>;

/** A file in one of the lists. */
export type Listed = Pick<
  MediaItem,
  'id' | 'nome' | 'url' | 'tipo' | 'poster_url' | 'fuoco' | 'hues' | 'captions' | 'created_at'
> & {
  /** True if the captions end after their film. */
  captionsLate: boolean;
  light: StoredLight | null;
};

/** Defaults of the fields that only a destination picture has. */
export const NO_PICTURE = { fuoco: null, hues: null };

/** Defaults of the fields that only a film has. */
export const NO_FILM = { poster_url: null, captions: null, captionsLate: false, light: null };

/** Returns the files of a slot with a list, newest first. Songs have no list. */
export async function listFiles(db: Db, { kind, viaggio }: MediaSlot): Promise<Listed[]> {
  const second = viaggio === 2;
  if (kind === 'video') {
    const videos = db.selectFrom('videos').selectAll().orderBy('created_at', 'desc').orderBy('id');
    return (await videos.execute()).map(({ id, nome, url, poster_url, created_at, ...row }) => ({
      id,
      nome,
      url,
      poster_url,
      created_at,
      tipo: null,
      ...NO_PICTURE,
      captions: storedCaptions(row),
      captionsLate: endsAfterFilm(row.captions_end, row.seconds),
      light: storedLight({ url, ...row }),
    }));
  }
  if (kind === 'image') {
    const all = db
      .selectFrom('immagini_destinazione')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id');
    const images = second ? all.where('tipo', '=', SECOND_TRIP) : all.where('tipo', 'is', null);
    return (await images.execute()).map(({ id, nome, url, tipo, created_at, ...row }) => ({
      id,
      nome,
      url,
      tipo,
      created_at,
      ...NO_FILM,
      ...pictureFacts(row),
    }));
  }
  if (kind === 'song') return [];
  const tickets = db.selectFrom('biglietti').selectAll().orderBy('created_at', 'desc').orderBy('id');
  const rows = await tickets.where('tipo', second ? '=' : '!=', SECOND_TRIP).execute();
  return rows.map((row) => ({ ...row, ...NO_FILM, ...NO_PICTURE }));
}

/** `tipo` of everything that belongs to the second trip (spec 3). */
export const SECOND_TRIP = 'secondo_viaggio';

const LISTS = { video: 'videos', image: 'immagini_destinazione', tickets: 'biglietti' } as const;

export type ListedKind = keyof typeof LISTS;

/** Deletes a file's row from its list and returns it; undefined if it does not exist. */
export async function removeListedRow(tx: Db, kind: ListedKind, id: string): Promise<object | undefined> {
  return tx.deleteFrom(LISTS[kind]).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Restores a deleted row; its columns are those of its table. */
export async function insertListedRow(tx: Db, kind: ListedKind, row: Record<string, unknown>): Promise<void> {
  const table: string = LISTS[kind];
  await tx.withTables<Record<string, Record<string, unknown>>>().insertInto(table).values(row).execute();
}

export async function findVideo(db: Db, id: string): Promise<Video | null> {
  return (await db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function setPoster(tx: Db, id: string, poster_url: string): Promise<void> {
  await tx.updateTable('videos').set({ poster_url }).where('id', '=', id).execute();
}

/** @param captions null removes them; `end` is the end of the last caption, in seconds */
export async function setCaptions(
  tx: Db,
  id: string,
  captions: (FilmCaptions & { end: number }) | null,
): Promise<void> {
  await tx
    .updateTable('videos')
    .set({
      captions_url: captions?.url ?? null,
      captions_mode: captions?.mode ?? 'device',
      captions_end: captions?.end ?? null,
    })
    .where('id', '=', id)
    .execute();
}

/** @param fuoco null for the centre of the picture */
export async function setFocus(tx: Db, id: string, fuoco: Fuoco | null): Promise<void> {
  await tx
    .updateTable('immagini_destinazione')
    .set({ fuoco_x: fuoco?.x ?? null, fuoco_y: fuoco?.y ?? null })
    .where('id', '=', id)
    .execute();
}
