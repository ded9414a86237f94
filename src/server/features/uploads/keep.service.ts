import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MEDIA_SLOTS, type SlotName } from '../../../domain/media-slots.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import { ensureConfig, findConfig, lockConfig, setConfig } from '../config/config.repo.ts';
import * as library from '../media/library.repo.ts';
import { removeAt } from '../media/library.service.ts';
import { plainName, type StoredMedia, storeMedia } from '../media/media.service.ts';
import type { Good } from './checked.ts';
import type { Course } from './jobs.ts';
import type { Arriving } from './upload-folder.ts';

type KeepDeps = Pick<Deps, 'inTransaction' | 'storage' | 'now'>;

const CHUNK = 1024 * 1024;

/**
 * Stores a checked file under the id of its upload, so that a second asking finds it; with its row in the list and the configuration that
 * points to it (spec 7), in one transaction. What could not be written stays for the sweep.
 */
export async function keep(deps: KeepDeps, upload: Arriving, good: Good, course: Course): Promise<void> {
  const { size } = await stat(good.path);
  const content = Readable.from(readThrough(good.path, size, course), { objectMode: false });
  const { extension, content_type, warnings } = good;
  const file = { nome: upload.filename, content, content_type, extension, warnings };
  const also = (tx: Db, stored: StoredMedia) => putInPlace(tx, upload, { ...good, ...stored }, deps.now());
  await storeMedia(deps, file, also, upload.id);
}

/** The second half of a check is the keeping. */
async function* readThrough(path: string, size: number, { signal, progress }: Course): AsyncIterable<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK, signal })) {
    yield chunk as Buffer;
    read += (chunk as Buffer).length;
    progress(0.5 + (0.5 * read) / size);
  }
}

type Kept = Good & StoredMedia;

async function putInPlace(
  tx: Db,
  { target, filename, video }: Arriving,
  file: Kept,
  now: Date,
): Promise<void> {
  await ensureConfig(tx, now);
  await lockConfig(tx);
  if (target === 'poster') return setPoster(tx, video ?? '', file.url, now);
  const row = {
    id: crypto.randomUUID(),
    nome: plainName(filename),
    url: file.url,
    created_at: now.toISOString(),
  };
  const wanted = await listed(tx, target, row, file);
  if (target === 'canzone') await removeAt(tx, (await findConfig(tx))?.canzone_url ?? null, now);
  if (wanted) await setConfig(tx, { [MEDIA_SLOTS[target].field]: file.url }, now);
}

type Row = { id: string; nome: string; url: string; created_at: string };

/** Adds the file to its list. Is it the active one from now on? A video only where there was none (spec 7). */
async function listed(tx: Db, slot: SlotName, row: Row, { extension }: Kept): Promise<boolean> {
  const { kind, viaggio } = MEDIA_SLOTS[slot];
  const second = viaggio === 2;
  switch (kind) {
    case 'video': {
      const others = await library.listFiles(tx, MEDIA_SLOTS[slot]);
      await library.insertVideo(tx, { ...row, poster_url: null });
      return others.length === 0;
    }
    case 'image':
      await library.insertImage(tx, { ...row, tipo: second ? library.SECOND_TRIP : null });
      return true;
    case 'tickets': {
      const tipo = extension === 'pdf' ? 'pdf' : 'image';
      await library.insertTickets(tx, { ...row, tipo: second ? library.SECOND_TRIP : tipo });
      return true;
    }
    case 'song':
      return true;
  }
}

/** A video that was deleted meanwhile shows nothing: then the picture goes as well. */
async function setPoster(tx: Db, video: string, url: string, now: Date): Promise<void> {
  const found = await library.findVideo(tx, video);
  await removeAt(tx, found === null ? url : found.poster_url, now);
  if (found !== null) await library.setPoster(tx, video, url);
}
