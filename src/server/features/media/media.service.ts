import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MediaWarning } from '../../../contract/admin/media-item.ts';
import { withoutControls } from '../../../domain/blank.ts';
import { type MediaFile, mediaIdOf, mediaUrl } from '../../../domain/media-address.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { companionsOf } from './companion.ts';
import { findMedia, insertMedia, type Media, markDeleted } from './media.repo.ts';

export type { Media };

/** A file to store: its name as somebody called it, its bytes, and what they were found to be. */
export type NewMedia = {
  nome: string;
  content: Readable;
  content_type: string;
  extension: string;
  warnings?: readonly MediaWarning[];
  /** LUFS. */
  loudness?: number | null;
  /** How long it is. */
  seconds?: number | null;
};

export type StoredMedia = { id: string; url: string; size: number; sha256: string };

/** The key of a file's bytes in the storage. */
export const mediaKey = ({ id, extension }: MediaFile) => `${id}.${extension}`;

type MediaRow = Parameters<typeof insertMedia>[1];

/**
 * Puts a file's bytes where they stay. Its row is still to be written; without one the bytes are left for the sweep.
 * @param id 128 random bits in hex
 */
export async function putMedia(
  deps: Pick<Deps, 'storage' | 'now'>,
  { nome, content, content_type, extension, ...known }: NewMedia,
  id: string,
): Promise<{ row: MediaRow; stored: StoredMedia }> {
  const file = await deps.storage.put(mediaKey({ id, extension }), content);
  const { warnings = [], loudness = null, seconds = null } = known;
  const row = {
    id,
    extension,
    content_type,
    ...file,
    nome: cleanFileName(nome),
    created_at: deps.now().toISOString(),
    deleted_at: null,
    warnings: JSON.stringify(warnings),
    loudness,
    seconds,
  };
  return { row, stored: { id, url: mediaUrl({ id, extension }), ...file } };
}

/**
 * Stores a file under a random name and writes its row, after every byte is safe. When the row can't be written the bytes stay behind for
 * the sweep: whether a failed commit was one is not always known.
 * @param also what has to be written in the same transaction, such as the configuration that points to the file
 * @param id 128 random bits in hex; given by whoever may have to ask later whether the file was stored
 */
export async function storeMedia(
  deps: Pick<Deps, 'inTransaction' | 'storage' | 'now'>,
  file: NewMedia,
  also: (tx: Db, stored: StoredMedia) => Promise<void> = async () => undefined,
  id: string = randomBytes(16).toString('hex'),
): Promise<StoredMedia> {
  const { row, stored } = await putMedia(deps, file, id);
  await deps.inTransaction(async (tx) => {
    await insertMedia(tx, row);
    await also(tx, stored);
  });
  return stored;
}

/** The file's row, deleted or not; null when there never was one. */
export function findFile({ db }: Pick<Deps, 'db'>, id: string): Promise<Media | null> {
  return findMedia(db, id);
}

/** By evening, the files it has been asked for. */
const known = new WeakMap<VisitPlan, Map<string, Media>>();

/**
 * The row of a file that an evening under way shows. It is read once: a stored file never changes, it stays while a visit can go on that
 * refers to it, and that it has been deleted from the lists since is nothing to that visit.
 */
export async function findFileForVisit(
  deps: Pick<Deps, 'db'>,
  evening: VisitPlan,
  id: string,
): Promise<Media | null> {
  const files = known.get(evening) ?? new Map<string, Media>();
  known.set(evening, files);
  const file = files.get(id) ?? (await findFile(deps, id));
  if (file !== null) files.set(id, file);
  return file;
}

/**
 * Marks a file deleted, and what comes and goes with it, in the caller's transaction; of a file that an earlier version levelled, the original too. Its
 * bytes stay until no living visit refers to them and the bin doesn't hold them: `sweepMedia`. Returns the ids of all that are deleted by this.
 */
export async function deleteMedia(tx: Db, id: string, now: Date): Promise<string[]> {
  const original = (await findMedia(tx, id))?.original ?? null;
  const ids = original === null ? [id] : [original, id];
  return markDeleted(
    tx,
    ids.flatMap((each) => [each, ...companionsOf(each)]),
    now.toISOString(),
  );
}

/** The same of the file at an address; nothing where there is none. */
export async function deleteMediaAt(tx: Db, url: string | null, now: Date): Promise<string[]> {
  const id = mediaIdOf(url);
  return id === null ? [] : deleteMedia(tx, id, now);
}

/** A name is text to be read by people: no control signs, 200 signs at most. */
export function cleanFileName(nome: string): string {
  return withoutControls(nome.toWellFormed()).slice(0, 200).toWellFormed();
}
