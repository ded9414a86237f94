import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Insertable, Selectable } from 'kysely';
import type { MediaWarning } from '../../../contract/admin/media.ts';
import { withoutControls } from '../../../domain/blank.ts';
import { type MediaFile, mediaIdOf, mediaUrl, TICKET_PAGES } from '../../../domain/media.ts';
import { formatOf, RENDITION_NAMES, type RenditionName } from '../../../domain/pictures.ts';
import type { Db, MediaTable } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { TicketPart } from '../../media-worker/door.ts';

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

/**
 * Stores a file's bytes. The caller must insert the row; without it the sweep removes the bytes. They also stay if that fails, because a
 * failed commit may have succeeded.
 * @param id 128 random bits in hex
 */
export async function putMedia(
  deps: Pick<Deps, 'storage' | 'now'>,
  { nome, content, content_type, extension, ...known }: NewMedia,
  id: string,
): Promise<{ row: Insertable<MediaTable>; stored: StoredMedia }> {
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

/** Returns the file's row, deleted or not; null if it never existed. */
export const findFile = ({ db }: Pick<Deps, 'db'>, id: string) => findMedia(db, id);

/**
 * Marks a file and its companions deleted, in the caller's transaction; also the original of a file that an earlier
 * version levelled. The bytes stay while a visit or the bin refers to them (`sweepMedia`). Returns the ids marked now.
 */
export async function deleteMedia(tx: Db, id: string, now: Date): Promise<string[]> {
  const original = (await findMedia(tx, id))?.original ?? null;
  const ids = original === null ? [id] : [original, id];
  const all = ids.flatMap((each) => [each, ...companionsOf(each)]);
  // Those already marked retain their time.
  const unmarked = tx.updateTable('media').where('id', 'in', all).where('deleted_at', 'is', null);
  const marked = await unmarked.set({ deleted_at: now.toISOString() }).returning('id').execute();
  return marked.map((file) => file.id);
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

export type Media = Selectable<MediaTable>;

export async function insertMedia(tx: Db, media: Insertable<MediaTable>): Promise<void> {
  await tx.insertInto('media').values(media).execute();
}

/** Returns the file's row, deleted or not; null if it never existed. */
export async function findMedia(db: Db, id: string): Promise<Media | null> {
  return (await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findMedias(db: Db, ids: readonly string[]): Promise<Media[]> {
  return ids.length === 0 ? [] : db.selectFrom('media').selectAll().where('id', 'in', ids).execute();
}

/** Stores the rendered pages of tickets: JSON of the domain's `TicketPage`s. */
export async function setPages(tx: Db, id: string, pages: string): Promise<void> {
  await tx.updateTable('media').set({ pages }).where('id', '=', id).execute();
}

export async function unmarkDeleted(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx.updateTable('media').set({ deleted_at: null }).where('id', 'in', ids).execute();
}

/** Returns all rows, including deleted files. */
export async function listMedia(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().execute();
}

export async function listDeleted(db: Db): Promise<Media[]> {
  return db.selectFrom('media').selectAll().where('deleted_at', 'is not', null).execute();
}

/** Deletes the row of a deleted file if it is unchanged; returns false if the file was restored. */
export async function forgetMedia(
  tx: Db,
  { id, deleted_at }: Pick<Media, 'id' | 'deleted_at'>,
): Promise<boolean> {
  const forgotten = await tx
    .deleteFrom('media')
    .where('id', '=', id)
    .where('deleted_at', '=', deleted_at)
    .returning('id')
    .executeTakeFirst();
  return forgotten !== undefined;
}

/** A rendered page of tickets, counted from 1, and its small version. */
export type PageKind = `page-${number}` | `page-${number}-small`;

/**
 * Kind of a companion file, derived from a stored file: film poster, captions, light version, PDF of a ticket picture,
 * ticket pages, and picture renditions.
 */
export type CompanionKind = 'poster' | 'captions' | 'light' | 'pdf' | PageKind | RenditionName;

const CONTENT_TYPES = {
  mp4: 'video/mp4',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  jpg: 'image/jpeg',
  png: 'image/png',
  avif: 'image/avif',
  webp: 'image/webp',
  pdf: 'application/pdf',
  vtt: 'text/vtt',
} as const;

/** Returns the extension with the content type of such a file. */
export const fileType = (extension: keyof typeof CONTENT_TYPES) => ({
  extension,
  content_type: CONTENT_TYPES[extension],
});

/** Types of songs that earlier versions stored. */
const FORMER_TYPES = ['audio/aac', 'audio/ogg', 'audio/wav', 'audio/flac'];
/** Types that the product displays, plays or reads. */
const SERVED = new Set<string>([...Object.values(CONTENT_TYPES), ...FORMER_TYPES]);

/** Returns the type to send. Any other stored type is sent as unknown data, so that browsers don't interpret it. */
export const servedType = (stored: string) => (SERVED.has(stored) ? stored : 'application/octet-stream');

export function companionFile(kind: CompanionKind) {
  if (kind === 'poster') return { nome: 'copertina.jpg', ...fileType('jpg') };
  if (kind === 'captions') return { nome: 'sottotitoli.vtt', ...fileType('vtt') };
  if (kind === 'light') return { nome: 'leggero.mp4', ...fileType('mp4') };
  if (kind === 'pdf') return { nome: 'biglietti.pdf', ...fileType('pdf') };
  if (isPage(kind)) return { nome: `biglietti-${kind}.webp`, ...fileType('webp') };
  return { nome: `immagine-${kind}`, ...fileType(formatOf(kind)) };
}

const isPage = (kind: CompanionKind): kind is PageKind => kind.startsWith('page-');

/** Returns the two pictures of a ticket page, counted from 1. */
export function pageKinds(page: number): [PageKind, PageKind] {
  return [`page-${page}`, `page-${page}-small`];
}

/** All pages that tickets can have. */
export const PAGE_KINDS: readonly PageKind[] = Array.from({ length: TICKET_PAGES.max }, (_, index) =>
  pageKinds(index + 1),
).flat();

/** Sound files of a film, stored by earlier versions; only deleted with the film. */
type FormerKind = 'sounds';

/**
 * Companions with the lifetime of their file. A film's poster and captions can be replaced, so its row in the list of
 * films has their ids.
 */
const INSEPARABLE = ['pdf', 'light', 'sounds', ...RENDITION_NAMES, ...PAGE_KINDS] as const;

/** Returns the ids of these companions. */
export const companionsOf = (id: string): string[] => INSEPARABLE.map((kind) => companionId(id, kind));

/** Returns the id of a file's companion, always the same for a file. Knowing it grants no access. */
export const companionId = (id: string, kind: CompanionKind | FormerKind): string =>
  createHash('sha256').update(`${kind} of ${id}`).digest('hex').slice(0, 32);
