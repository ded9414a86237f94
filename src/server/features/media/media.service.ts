import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { MediaWarning } from '../../../contract/admin/media.ts';
import { withoutControls } from '../../../domain/blank.ts';
import { type MediaFile, mediaIdOf, mediaUrl } from '../../../domain/media.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { TicketPart } from '../../media-worker/door.ts';
import type { VisitPlan } from '../visit/snapshot.ts';
import { companionsOf } from './companion.ts';
import { findMedia, insertMedia, type Media, markDeleted } from './media.repo.ts';

export type { Media };

/** A file to store: its original name, its bytes, and their detected type. */
export type NewMedia = {
  nome: string;
  content: Readable;
  content_type: string;
  extension: string;
  warnings?: readonly MediaWarning[];
  /** Loudness in LUFS. */
  loudness?: number | null;
  /** Duration in seconds. */
  seconds?: number | null;
};

export type StoredMedia = { id: string; url: string; size: number; sha256: string };

export const mediaKey = ({ id, extension }: MediaFile) => `${id}.${extension}`;

type MediaRow = Parameters<typeof insertMedia>[1];

/**
 * Stores a file's bytes. The caller must insert the row; without it the sweep removes the bytes.
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
 * Stores a file under a random name, then inserts its row. If that fails, the bytes stay for the sweep, because a
 * failed commit may have succeeded.
 * @param also other writes of the same transaction, such as the configuration that refers to the file
 * @param id 128 random bits in hex; passed by callers that may later check whether the file was stored
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

/** Returns the file's row, deleted or not; null if it never existed. */
export function findFile({ db }: Pick<Deps, 'db'>, id: string): Promise<Media | null> {
  return findMedia(db, id);
}

/** Requested files per evening. */
const filesByEvening = new WeakMap<VisitPlan, Map<string, Media>>();

/**
 * Returns the row of a file of an evening in progress, read once. A stored file never changes and stays while a visit
 * can refer to it; deleting it from the lists does not affect that visit.
 */
export async function findFileForVisit(
  deps: Pick<Deps, 'db'>,
  evening: VisitPlan,
  id: string,
): Promise<Media | null> {
  const files = filesByEvening.get(evening) ?? new Map<string, Media>();
  filesByEvening.set(evening, files);
  const file = files.get(id) ?? (await findFile(deps, id));
  if (file !== null) files.set(id, file);
  return file;
}

/**
 * Marks a file and its companions deleted, in the caller's transaction; also the original of a file that an earlier
 * version levelled. The bytes stay while a visit or the bin refers to them (`sweepMedia`). Returns the ids marked now.
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

/** Marks the file at an address deleted; does nothing if there is none. */
export async function deleteMediaAt(tx: Db, url: string | null, now: Date): Promise<string[]> {
  const id = mediaIdOf(url);
  return id === null ? [] : deleteMedia(tx, id, now);
}

/** Removes control characters from a file name and truncates it to 200 characters. */
export function cleanFileName(nome: string): string {
  return withoutControls(nome.toWellFormed()).slice(0, 200).toWellFormed();
}

/** Returns the format of stored tickets: a PDF or a picture. */
export function ticketKind({ content_type }: Pick<Media, 'content_type'>): TicketPart['kind'] {
  if (content_type === 'image/png') return 'png';
  return content_type === 'image/jpeg' ? 'jpg' : 'pdf';
}
