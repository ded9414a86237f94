import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { DataStore, ERRORS, type Upload } from '@tus/server';
import { FileMissing, type Objects, type StoredObject } from '../../storage/storage.ts';
import { type Chunk, contiguousChunks, splitChunks } from './pieces.ts';
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
  const store = new PieceStore(objects);
  const dropOf = async (name: string) => {
    const keys = isUploadId(name) ? (await objects.list(`${name}/`)).map(({ key }) => key) : [name];
    await objects.remove(keys);
  };
  return {
    store,
    isOnDisk: false,
    find: async (id) => lookAt(objects, id, await objects.list(id)),
    async list() {
      const found = Map.groupBy(await objects.list(), ({ key }) => key.slice(0, ID_LENGTH));
      const going = [...found].filter(
        ([id, of]) => isUploadId(id) && of.some(({ key }) => pieceOf(id, key) !== null || key === jsonOf(id)),
      );
      return Promise.all(going.map(async ([id, of]) => ({ id, upload: await lookAt(objects, id, of) })));
    },
    withLocalPath: (id, signal, work) => withLocalCopy({ objects, here }, id, signal, work),
    withMade: here.withMade,
    async remove(id, refused) {
      // The refusal is stored first, as on a disk. An upload can't continue without its announcement.
      if (refused !== undefined) await objects.put(refusalOf(id), Buffer.from(JSON.stringify(refused)));
      await objects.remove([jsonOf(id)]);
      await dropOf(id);
    },
    refused: async (id) => parseRefused((await objects.get(refusalOf(id)))?.toString() ?? ''),
    entries: async () => [...(await here.entries()), ...entriesOf(await objects.list())],
    async drop(name) {
      if (!name.includes('/')) await here.drop(name);
      await dropOf(name);
    },
    async forget(id) {
      await here.forget(id);
      await objects.remove((await objects.list(id)).map(({ key }) => key));
    },
    freeBytes: here.freeBytes,
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

/** Returns an upload from its objects in the bucket, or null. */
async function lookAt(objects: Objects, id: string, found: readonly StoredObject[]) {
  if (!found.some(({ key }) => key === jsonOf(id))) return null;
  const announced = parseAnnounced((await objects.get(jsonOf(id)))?.toString() ?? '');
  if (announced === undefined) return null;
  const touched = Math.max(...found.map((each) => each.modifiedAt));
  return toIncomingUpload(announced, { offset: piecesIn(id, found).at(-1)?.end ?? 0, touched });
}

/** Returns all chunks of an upload as one entry, like its bytes on a disk. */
function entriesOf(found: readonly StoredObject[]): FolderEntry[] {
  const entries = new Map<string, FolderEntry>();
  for (const { key, modifiedAt } of found) {
    const start = key.slice(0, ID_LENGTH);
    const id = isUploadId(start) && isUploadKey(start, key) ? start : null;
    const name = id !== null && pieceOf(id, key) !== null ? id : key;
    entries.set(name, { name, id, touched: Math.max(modifiedAt, entries.get(name)?.touched ?? 0) });
  }
  return [...entries.values()];
}

const isUploadKey = (id: string, key: string) =>
  pieceOf(id, key) !== null || [jsonOf(id), refusalOf(id)].includes(key);

/** Copies a complete upload into this node's folder, under a name that the sweep recognises. */
async function withLocalCopy<T>(
  { objects, here }: { objects: Objects; here: DiskUploads },
  id: string,
  signal: AbortSignal,
  work: (path: string) => Promise<T>,
): Promise<T> {
  const path = `${here.pathOf(id)}.${randomBytes(8).toString('hex')}.part`;
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      let at = 0;
      for (const piece of piecesIn(id, await objects.list(`${id}/`))) {
        signal.throwIfAborted();
        const bytes = await objects.get(keyOf(id, piece));
        if (bytes === null) throw new FileMissing(`A piece of the upload ${id} is gone`);
        await file.appendFile(bytes.subarray(at - piece.start));
        at = piece.end;
      }
    } finally {
      await file.close();
    }
    return await work(path);
  } finally {
    await rm(path, { force: true });
  }
}

/** Store of the tus library. A failed lookup is an outage, not a missing upload: for that a browser would begin it again. */
class PieceStore extends DataStore {
  readonly #objects: Objects;

  constructor(objects: Objects) {
    super();
    this.#objects = objects;
    this.extensions = ['creation', 'creation-with-upload', 'termination'];
  }

  override async create(upload: Upload): Promise<Upload> {
    await this.#objects.put(jsonOf(upload.id), Buffer.from(JSON.stringify(upload)));
    return upload;
  }

  override async getUpload(id: string): Promise<Upload> {
    const found = await this.#find(id);
    if (found === null) throw ERRORS.FILE_NOT_FOUND;
    return found;
  }

  async #find(id: string): Promise<Upload | null> {
    const announced = parseAnnounced((await this.#objects.get(jsonOf(id)))?.toString() ?? '');
    if (announced === undefined) return null;
    announced.offset = piecesIn(id, await this.#objects.list(`${id}/`)).at(-1)?.end ?? 0;
    return announced;
  }

  override async write(content: AsyncIterable<Buffer>, id: string, offset: number): Promise<number> {
    let at = offset;
    for await (const bytes of splitChunks(content)) {
      const end = at + bytes.length;
      await this.#objects.put(keyOf(id, { start: at, end }), bytes);
      at = end;
    }
    return at;
  }

  override async remove(id: string): Promise<void> {
    const found = await this.#objects.list(id);
    if (!found.some(({ key }) => key === jsonOf(id))) throw ERRORS.FILE_NOT_FOUND;
    // Removes the announcement first: an upload can't continue without it.
    const keys = found.map(({ key }) => key).filter((key) => key !== refusalOf(id));
    await this.#objects.remove([jsonOf(id)]);
    await this.#objects.remove(keys);
  }
}
