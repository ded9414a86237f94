import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { DataStore, ERRORS, type Upload } from '@tus/server';
import { FileMissing, type Objects, type StoredObject, splitStream } from '../../storage/storage.ts';
import {
  type DiskUploads,
  type FolderEntry,
  isUploadId,
  parseAnnounced,
  parseRefused,
  toIncomingUpload,
  type UploadFolder,
} from './upload-folder.ts';

/**
 * Uploads in a bucket, available to every node: `ID.json` is the announcement, `ID/START-END` a chunk, `ID.refused` the refusal.
 * Converted files, and the copy that programs read, are in this node's folder.
 * @param here this node's folder
 */
export function uploadsInBucket(objects: Objects, here: DiskUploads): UploadFolder {
  return {
    ...here,
    store: pieceStore(objects),
    find: async (id) => uploadFrom(objects, id, await objects.list(id)),
    async list() {
      const found = Map.groupBy(await objects.list(), ({ key }) => key.slice(0, ID_LENGTH));
      const uploads = [...found].map(([id, of]) => uploadFrom(objects, id, of));
      return (await Promise.all(uploads)).filter((upload) => upload !== null);
    },
    withLocalPath: (id, signal, work) => withLocalCopy({ objects, here }, id, signal, work),
    async remove(id, refused) {
      // The refusal is stored first, as on a disk.
      if (refused !== undefined) await objects.put(refusalOf(id), Buffer.from(JSON.stringify(refused)));
      await removeUpload(objects, id);
    },
    refused: async (id) => parseRefused((await objects.get(refusalOf(id)))?.toString() ?? ''),
    entries: async () => [...(await here.entries()), ...entriesOf(await objects.list())],
    async drop(name) {
      if (!name.includes('/')) await here.drop(name);
      const keys = isUploadId(name) ? (await objects.list(`${name}/`)).map(({ key }) => key) : [name];
      await objects.remove(keys);
    },
  };
}

const ID_LENGTH = 32;
const jsonOf = (id: string) => `${id}.json`;
const refusalOf = (id: string) => `${id}.refused`;
const keyOf = (id: string, { start, end }: Chunk) => `${id}/${start}-${end}`;

/** Returns the bytes of an upload that an object holds, or null if it isn't a chunk. */
function pieceOf(id: string, key: string): Chunk | null {
  const [, start, end] = /^\/(\d+)-(\d+)$/.exec(key.startsWith(id) ? key.slice(id.length) : '') ?? [];
  return start === undefined || end === undefined ? null : { start: Number(start), end: Number(end) };
}

const piecesIn = (id: string, found: readonly StoredObject[]) =>
  contiguousChunks(found.flatMap(({ key }) => pieceOf(id, key) ?? []));

const offsetIn = (id: string, found: readonly StoredObject[]) => piecesIn(id, found).at(-1)?.end ?? 0;

const announcedIn = async (objects: Objects, id: string) =>
  parseAnnounced((await objects.get(jsonOf(id)))?.toString() ?? '');

/** Returns an upload from its objects in the bucket, or null. */
async function uploadFrom(objects: Objects, id: string, found: readonly StoredObject[]) {
  if (!isUploadId(id) || !found.some(({ key }) => key === jsonOf(id))) return null;
  const announced = await announcedIn(objects, id);
  if (announced === undefined) return null;
  const touched = Math.max(...found.map((each) => each.modifiedAt));
  return toIncomingUpload(announced, { offset: offsetIn(id, found), touched });
}

/** Returns all chunks of an upload as one entry, like its bytes on a disk. */
function entriesOf(found: readonly StoredObject[]): FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const { key, modifiedAt } of found) {
    const start = key.slice(0, ID_LENGTH);
    const isPiece = pieceOf(start, key) !== null;
    const isOfUpload = isPiece || [jsonOf(start), refusalOf(start)].includes(key);
    const id = isUploadId(start) && isOfUpload ? start : null;
    const name = id !== null && isPiece ? id : key;
    entries.set(name, { name, id, touched: Math.max(modifiedAt, entries.get(name)?.touched ?? 0) });
  }
  return [...entries.values()];
}

/** Copies a complete upload into this node's folder, under a name that the sweep recognises. */
async function withLocalCopy<T>(
  { objects, here }: { objects: Objects; here: DiskUploads },
  id: string,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = `${here.pathOf(id)}.${randomBytes(8).toString('hex')}.part`;
  async function* content() {
    let at = 0;
    for (const piece of piecesIn(id, await objects.list(`${id}/`))) {
      signal.throwIfAborted();
      const bytes = await objects.get(keyOf(id, piece));
      if (bytes === null) throw new FileMissing(`A piece of the upload ${id} is gone`);
      yield bytes.subarray(at - piece.start);
      at = piece.end;
    }
  }
  try {
    await writeFile(path, content(), { flag: 'wx', mode: 0o600 });
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Store of the tus library. A failed lookup is an outage, not a missing upload: for that a browser would begin it again. */
function pieceStore(objects: Objects): DataStore {
  class PieceStore extends DataStore {
    override extensions = ['creation', 'creation-with-upload', 'termination'];

    override async create(upload: Upload): Promise<Upload> {
      await objects.put(jsonOf(upload.id), Buffer.from(JSON.stringify(upload)));
      return upload;
    }

    override async getUpload(id: string): Promise<Upload> {
      const announced = await announcedIn(objects, id);
      if (announced === undefined) throw ERRORS.FILE_NOT_FOUND;
      announced.offset = offsetIn(id, await objects.list(`${id}/`));
      return announced;
    }

    override async write(content: AsyncIterable<Buffer>, id: string, offset: number): Promise<number> {
      let at = offset;
      for await (const bytes of splitChunks(content)) {
        const end = at + bytes.length;
        await objects.put(keyOf(id, { start: at, end }), bytes);
        at = end;
      }
      return at;
    }

    override async remove(id: string): Promise<void> {
      if ((await objects.get(jsonOf(id))) === null) throw ERRORS.FILE_NOT_FOUND;
      await removeUpload(objects, id);
    }
  }
  return new PieceStore();
}

/** Removes the announcement first: an upload can't continue without it. */
async function removeUpload(objects: Objects, id: string): Promise<void> {
  await objects.remove([jsonOf(id)]);
  await objects.remove((await objects.list(`${id}/`)).map(({ key }) => key));
}

/** Bytes `start` to `end` of an upload, `end` excluded. */
export type Chunk = { start: number; end: number };

/** Maximum chunk size in bytes, and the memory an upload uses. A browser sends 5 MiB at a time. */
const MAX_CHUNK_BYTES = 8 * 1024 * 1024;

/** Splits a stream into chunks. If the stream fails, yields the received rest before it throws, so that a retry continues there. */
export async function* splitChunks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const failures: unknown[] = [];
  async function* received() {
    try {
      yield* content;
    } catch (error) {
      failures.push(error);
    }
  }
  for await (const { bytes } of splitStream(received(), MAX_CHUNK_BYTES)) if (bytes.length > 0) yield bytes;
  if (failures.length > 0) throw failures[0];
}

/**
 * Returns the chunks of the longest beginning without a gap, in order. Chunks may overlap: a late one of another node has the same bytes.
 * Added chunks never shorten the beginning.
 */
export function contiguousChunks(pieces: readonly Chunk[]): Chunk[] {
  const waiting = pieces.toSorted((a, b) => a.start - b.start);
  const order: Chunk[] = [];
  let furthest: Chunk = { start: 0, end: 0 };
  for (let at = 0, n = 0; ; at = furthest.end) {
    for (let piece = waiting[n]; piece !== undefined && piece.start <= at; n += 1, piece = waiting[n])
      if (piece.end > furthest.end) furthest = piece;
    if (furthest.end === at) return order;
    order.push(furthest);
  }
}
