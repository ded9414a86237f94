import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Configstore, FileStore } from '@tus/file-store';
import { type DataStore, Upload } from '@tus/server';
import { z } from 'zod';
import { FILE_REFUSALS, type FileRefusal } from '../../../contract/admin/media.ts';
import { SLOT_NAMES, type SlotName } from '../../../domain/media.ts';
import { renameWithRetry } from '../../storage/rename.ts';

/** An incoming file: its received bytes and its slot. */
export type IncomingUpload = {
  id: string;
  size: number;
  offset: number;
  slot: SlotName;
  filename: string;
  /** Time of the last write, in ms since the epoch. */
  touched: number;
};

/** A refused upload, as stored. */
export type RefusedUpload = Pick<IncomingUpload, 'slot' | 'filename' | 'size'> & { codice: FileRefusal };

/** Paths for converting an upload: the file, one companion file, and a folder (not created) for several companions. */
export type WorkPaths = { made: string; beside: string; many: string };

/** Folder where uploads wait for their check: bytes, announcements and stored refusals. */
export type UploadFolder = {
  store: DataStore;
  /** True if incoming bytes take space on the disk of `DATA_DIR`. */
  isOnDisk: boolean;
  find(id: string): Promise<IncomingUpload | null>;
  /** All uploads with bytes; null for one with an invalid announcement. */
  list(): Promise<{ id: string; upload: IncomingUpload | null }[]>;
  /** Calls `work` with a path to the complete upload, valid until it ends. Rejects with the signal's reason. */
  withLocalPath<T>(id: string, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Calls `work` with paths for converted files, which are deleted afterwards.
   * @param isOwner called at the end; false keeps the files, which may be another node's by then
   */
  withMade<T>(id: string, work: (places: WorkPaths) => Promise<T>, isOwner?: () => boolean): Promise<T>;
  /** Removes an upload, and stores its refusal if there is one. */
  remove(id: string, refused?: RefusedUpload): Promise<void>;
  /** Returns the stored refusal, or null. */
  refused(id: string): Promise<RefusedUpload | null>;
  /** All entries of the folder: name, upload id (null for a foreign name) and last write (ms). */
  entries(): Promise<FolderEntry[]>;
  /** Removes one entry. */
  drop(name: string): Promise<void>;
  /** Removes all files of an upload, including its refusal. */
  forget(id: string): Promise<void>;
  /** Free bytes on the folder's disk. */
  freeBytes(): Promise<number>;
};

export type FolderEntry = { name: string; id: string | null; touched: number };

const ID = /^[0-9a-f]{32}$/;
const NAME = /^([0-9a-f]{32})(\.json|\.made|\.beside|\.many|\.refused|\.[0-9a-f]{16}\.part)?$/;

export const isUploadId = (id: string) => ID.test(id);
export const newUploadId = () => randomBytes(16).toString('hex');

/** An upload folder on a disk. */
export type DiskUploads = UploadFolder & {
  /** Returns the path of an upload's bytes. Throws a TypeError for an invalid id. */
  pathOf(id: string): string;
};

/** The library's store without its constructor's folder creation. That isn't awaited, and its failure would end the process. */
// @ts-expect-error -- the method is private to the library
class FolderStore extends FileStore {
  override checkOrCreateDirectory(): void {
    // Made by `openUploadFolder`.
  }
}

/** Opens the folder, and creates it if needed. It is separate from the media: its files have no address. */
export async function openUploadFolder(directory: string): Promise<DiskUploads> {
  const root = resolve(directory);
  await mkdir(root, { recursive: true, mode: 0o700 });
  const pathOf = (id: string) => {
    if (!ID.test(id)) throw new TypeError(`Not an upload: ${JSON.stringify(id)}`);
    return join(root, id);
  };
  const configstore = announcements(pathOf);
  const store = new FolderStore({ directory: root, configstore });
  const dropOf = (id: string, suffixes: string[]) =>
    Promise.all(suffixes.map((suffix) => rm(`${pathOf(id)}${suffix}`, { recursive: true, force: true })));
  const find = async (id: string) => {
    const announced = await configstore.get(id);
    const found = await stat(pathOf(id)).catch(() => null);
    return announced === undefined || found === null
      ? null
      : toIncomingUpload(announced, { offset: found.size, touched: found.mtimeMs });
  };
  return {
    store,
    isOnDisk: true,
    find,
    pathOf,
    withLocalPath: async (id, _signal, work) => work(pathOf(id)),
    async withMade(id, work, isOwner = () => true) {
      const path = pathOf(id);
      const places = { made: `${path}.made`, beside: `${path}.beside`, many: `${path}.many` };
      const drop = () => dropOf(id, ['.made', '.beside', '.many']);
      // Leftovers of a killed attempt. A process that still writes there then writes to a deleted file.
      await drop();
      return work(places).finally(() => (isOwner() ? drop() : undefined));
    },
    async list() {
      const ids = (await readdir(root)).filter(isUploadId);
      return Promise.all(ids.map(async (id) => ({ id, upload: await find(id) })));
    },
    async remove(id, refused) {
      // The refusal is stored first: after a crash in between, the upload remains and is refused again.
      if (refused !== undefined) await writeWhole(`${pathOf(id)}.refused`, JSON.stringify(refused));
      await dropOf(id, ['', '.json']);
    },
    async refused(id) {
      const text = await readFile(`${pathOf(id)}.refused`, 'utf8').catch(() => '');
      return parseRefused(text);
    },
    entries: () => entriesIn(root),
    drop: (name) => rm(join(root, basename(name)), { recursive: true, force: true }),
    async forget(id) {
      const names = (await readdir(root)).filter((name) => NAME.exec(name)?.[1] === id);
      await Promise.all(names.map((name) => rm(join(root, name), { recursive: true, force: true })));
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(root);
      return bavail * bsize;
    },
  };
}

const refusedSchema = z.object({
  codice: z.enum(FILE_REFUSALS),
  slot: z.enum(SLOT_NAMES),
  filename: z.string(),
  size: z.int(),
});

/** Parses a stored refusal. Returns null for one of another version. */
export function parseRefused(text: string): RefusedUpload | null {
  try {
    return refusedSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Parses an announcement. Returns undefined for an invalid one. */
export function parseAnnounced(text: string): Upload | undefined {
  try {
    return new Upload(JSON.parse(text) as ConstructorParameters<typeof Upload>[0]);
  } catch {
    return undefined;
  }
}

/** Returns null for an upload without a known slot or size. */
export function toIncomingUpload(
  { id, size, metadata }: Upload,
  here: Pick<IncomingUpload, 'offset' | 'touched'>,
): IncomingUpload | null {
  const slot = SLOT_NAMES.find((name) => name === metadata?.slot);
  if (slot === undefined || size === undefined) return null;
  return { id, size, slot, filename: metadata?.filename ?? '', ...here };
}

/** Stores the announcement of each upload as JSON next to it. An invalid one counts as missing. */
function announcements(pathOf: (id: string) => string): Configstore {
  return {
    get: async (id) => parseAnnounced(await readFile(`${pathOf(id)}.json`, 'utf8').catch(() => '')),
    set: (id, upload) => writeWhole(`${pathOf(id)}.json`, JSON.stringify(upload)),
    delete: (id) => rm(`${pathOf(id)}.json`, { force: true }),
  };
}

async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path.replace(/\.\w+$/, '')}.${randomBytes(8).toString('hex')}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await renameWithRetry(part, path);
}

async function entriesIn(root: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  for (const name of await readdir(root)) {
    const found = await stat(join(root, name)).catch(() => null);
    if (found !== null) entries.push({ name, id: NAME.exec(name)?.[1] ?? null, touched: found.mtimeMs });
  }
  return entries;
}
