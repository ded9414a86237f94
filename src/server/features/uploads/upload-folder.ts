import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Configstore, FileStore } from '@tus/file-store';
import { type DataStore, Upload } from '@tus/server';
import { z } from 'zod';
import { FILE_REFUSALS, type FileRefusal } from '../../../contract/admin/media-processing.ts';
import { SLOT_NAMES, type SlotName } from '../../../domain/media-slots.ts';
import { renameWithRetry } from '../../storage/rename.ts';

/** A file on its way in: how much of it is here, and what it is meant for. */
export type IncomingUpload = {
  id: string;
  size: number;
  offset: number;
  slot: SlotName;
  filename: string;
  /** When its last byte came, in ms. */
  touched: number;
};

/** An upload that was refused, as it is remembered. */
export type RefusedUpload = Pick<IncomingUpload, 'slot' | 'filename' | 'size'> & { codice: FileRefusal };

/** Where something may be made of an upload: the file, what is stored beside it, and a folder (to be made) for many of those. */
export type WorkPaths = { made: string; beside: string; many: string };

/** Where uploads wait until they are checked: bytes, what was announced of them, and how refused ones ended. */
export type UploadFolder = {
  store: DataStore;
  /** Do the bytes that come take up room where `DATA_DIR` is? */
  isOnDisk: boolean;
  find(id: string): Promise<IncomingUpload | null>;
  /** Every upload with bytes, torn ones included as null. */
  list(): Promise<{ id: string; upload: IncomingUpload | null }[]>;
  /** Lends a path where a program can read the whole of an upload, for as long as `work` takes. Rejects with the signal's reason. */
  lend<T>(id: string, signal: AbortSignal, work: (path: string) => Promise<T>): Promise<T>;
  /**
   * Lends paths beside the upload for what is made of it, for as long as `work` takes.
   * @param isOurs asked at the end: what lies there by then may be another node's
   */
  withMade<T>(id: string, work: (places: WorkPaths) => Promise<T>, isOurs?: () => boolean): Promise<T>;
  /** Removes it. Remembers why, if it was refused. */
  remove(id: string, refused?: RefusedUpload): Promise<void>;
  /** An upload that was refused, or null. */
  refused(id: string): Promise<RefusedUpload | null>;
  /** Everything that lies in the folder: its name, the upload it belongs to (null where it is no name of ours), and when it was last written (ms). */
  entries(): Promise<FolderEntry[]>;
  /** Removes one of them. */
  drop(name: string): Promise<void>;
  /** Removes whatever there is of it, memories too. */
  forget(id: string): Promise<void>;
  /** Bytes free where it lies. */
  freeBytes(): Promise<number>;
};

export type FolderEntry = { name: string; id: string | null; touched: number };

const ID = /^[0-9a-f]{32}$/;
const NAME = /^([0-9a-f]{32})(\.json|\.made|\.beside|\.many|\.refused|\.[0-9a-f]{16}\.part)?$/;

export const isUploadId = (id: string) => ID.test(id);
export const newUploadId = () => randomBytes(16).toString('hex');

/** The same on a disk. */
export type DiskUploads = UploadFolder & {
  /** Where an upload's bytes are. Throws a TypeError where it can be none. */
  pathOf(id: string): string;
};

/**
 * The library's store, but for the folder that its constructor makes and waits for nobody: it is there, and what failed then would end the process.
 */
// @ts-expect-error -- the method is private to the library
class FolderStore extends FileStore {
  override checkOrCreateDirectory(): void {
    // Made by `openUploadFolder`.
  }
}

/** The folder, made if needed. It is apart from the media: nothing in it has an address. */
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
    lend: async (id, _signal, work) => work(pathOf(id)),
    async withMade(id, work, isOurs = () => true) {
      const path = pathOf(id);
      const places = { made: `${path}.made`, beside: `${path}.beside`, many: `${path}.many` };
      const drop = () => dropOf(id, ['.made', '.beside', '.many']);
      // Of a try that was killed: what still writes there writes to nobody's file then.
      await drop();
      return work(places).finally(() => (isOurs() ? drop() : undefined));
    },
    async list() {
      const ids = (await readdir(root)).filter(isUploadId);
      return Promise.all(ids.map(async (id) => ({ id, upload: await find(id) })));
    },
    async remove(id, refused) {
      // The memory comes first: a crash in between leaves an upload that was refused, and is refused again.
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

/** How an upload was refused, out of what was remembered of it; null for what another version wrote. */
export function parseRefused(text: string): RefusedUpload | null {
  try {
    return refusedSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** What was announced of an upload, out of its JSON; undefined for a torn one. */
export function parseAnnounced(text: string): Upload | undefined {
  try {
    return new Upload(JSON.parse(text) as ConstructorParameters<typeof Upload>[0]);
  } catch {
    return undefined;
  }
}

/** Null for what is none of ours. */
export function toIncomingUpload(
  { id, size, metadata }: Upload,
  here: Pick<IncomingUpload, 'offset' | 'touched'>,
): IncomingUpload | null {
  const slot = SLOT_NAMES.find((name) => name === metadata?.slot);
  if (slot === undefined || size === undefined) return null;
  return { id, size, slot, filename: metadata?.filename ?? '', ...here };
}

/** What was announced of each upload, as JSON beside it. A torn one counts as none. */
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
