import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MEDIA_SLOTS, type SlotName } from '../../../domain/media.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { ensureConfig, lockConfig, setConfig } from '../config/config.repo.ts';
import { companionFile, companionId } from '../media/companion.ts';
import { moveSongToBin } from '../media/file-bin.ts';
import * as library from '../media/library.repo.ts';
import { insertMedia } from '../media/media.repo.ts';
import { cleanFileName, putMedia, type StoredMedia } from '../media/media.service.ts';
import type { Companion } from './companions.service.ts';
import type { ConvertedFile } from './make.service.ts';
import type { IncomingUpload } from './upload-folder.ts';

type KeepDeps = Pick<Deps, 'inTransaction' | 'storage' | 'now'>;

const CHUNK = 1024 * 1024;

/**
 * Stores a converted upload under the upload's id, so that a repeated request finds it.
 * The rows of file, companions, list and configuration (spec 7) are written in one transaction.
 * After an error the sweep removes the bytes.
 */
export async function storeConverted(
  deps: KeepDeps,
  upload: IncomingUpload,
  good: ConvertedFile,
  control: TaskControl,
): Promise<void> {
  const { size } = await stat(good.path);
  const content = Readable.from(readThrough(good.path, size, control), { objectMode: false });
  const { path: _path, companions: _companions, ...known } = good;
  const file = { nome: upload.filename, content, ...known };
  const { row, stored } = await putMedia(deps, file, upload.id);
  const storedCompanions = await Promise.all(
    good.companions.map((each) => putCompanion(deps, each, upload.id)),
  );
  const poster_url = storedCompanions.find(({ kind }) => kind === 'poster')?.stored.url ?? null;
  const result = { ...good, ...stored, poster_url };
  control.signal.throwIfAborted();
  await deps.inTransaction(async (tx) => {
    for (const each of [row, ...storedCompanions.map((each) => each.row)]) await insertMedia(tx, each);
    await putInPlace(tx, upload, result, deps.now());
  });
}

async function putCompanion(deps: KeepDeps, { kind, path }: Companion, upload: string) {
  const content = createReadStream(path);
  const file = { ...companionFile(kind), content };
  return { kind, ...(await putMedia(deps, file, companionId(upload, kind))) };
}

async function* readThrough(
  path: string,
  size: number,
  { signal, progress }: TaskControl,
): AsyncIterable<Buffer> {
  let read = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK, signal })) {
    yield chunk as Buffer;
    read += (chunk as Buffer).length;
    progress(read / size);
  }
}

type StoredUpload = ConvertedFile & StoredMedia & { poster_url: string | null };

async function putInPlace(
  tx: Db,
  { slot, filename }: IncomingUpload,
  file: StoredUpload,
  now: Date,
): Promise<void> {
  await ensureConfig(tx, now);
  await lockConfig(tx);
  const row = {
    id: crypto.randomUUID(),
    nome: cleanFileName(filename),
    url: file.url,
    created_at: now.toISOString(),
  };
  const becomesActive = await addToList(tx, slot, row, file);
  if (slot === 'canzone') await moveSongToBin(tx, now);
  const fromTheBeginning = slot === 'canzone' ? { canzone_inizio_secondi: 0 } : {};
  if (becomesActive) await setConfig(tx, { [MEDIA_SLOTS[slot].field]: file.url, ...fromTheBeginning }, now);
}

type ListRow = { id: string; nome: string; url: string; created_at: string };

/** Adds the file to its list. Returns true if it becomes the active one; a video only if it is the first (spec 7). */
async function addToList(
  tx: Db,
  slot: SlotName,
  row: ListRow,
  { extension, poster_url }: StoredUpload,
): Promise<boolean> {
  const { kind, viaggio } = MEDIA_SLOTS[slot];
  const second = viaggio === 2;
  switch (kind) {
    case 'video': {
      const others = await library.listFiles(tx, MEDIA_SLOTS[slot]);
      await library.insertVideo(tx, { ...row, poster_url });
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
