import type { Insertable } from 'kysely';
import type { BigliettiTable, Db, ImmaginiDestinazioneTable, VideosTable } from '../../db/tables.ts';

/** The administrator's lists of uploaded files (spec 3): what may be chosen for the surprise. */

export async function insertVideo(tx: Db, video: Insertable<VideosTable>): Promise<void> {
  await tx.insertInto('videos').values(video).execute();
}

export async function insertTickets(tx: Db, tickets: Insertable<BigliettiTable>): Promise<void> {
  await tx.insertInto('biglietti').values(tickets).execute();
}

export async function insertImage(tx: Db, image: Insertable<ImmaginiDestinazioneTable>): Promise<void> {
  await tx.insertInto('immagini_destinazione').values(image).execute();
}
