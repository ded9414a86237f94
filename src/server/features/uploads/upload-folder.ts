import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { type Configstore, FileStore } from '@tus/file-store';
import { type DataStore, Upload } from '@tus/server';
import { z } from 'zod';
import { FILE_REFUSALS } from '../../../contract/admin/media.ts';
import { SLOT_NAMES, type SlotName } from '../../../domain/media.ts';
import { freeBytesOf, renameWithRetry } from '../../storage/disk.ts';

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

const refusedSchema = z.object({
  codice: z.enum(FILE_REFUSALS),
  slot: z.enum(SLOT_NAMES),
  filename: z.string(),
  size: z.int(),
});

/** A refused upload, as stored. */
export type RefusedUpload = z.infer<typeof refusedSchema>;

/** Paths for converting an upload: the file, one companion file, and a folder (not created) for several companions. */
export type WorkPaths = { made: string; beside: string; many: string };

export type FolderEntry = { name: string; id: string | null; touched: number };

const ID = /^[0-9a-f]{32}$/;
const NAME = /^([0-9a-f]{32})(\.json|\.made|\.beside|\.many|\.refused|\.[0-9a-f]{16}\.part)?$/;

export const isUploadId = (id: string) => ID.test(id);
export const newUploadId = () => randomBytes(16).toString('hex');

/** Where uploads wait for their check: bytes, announcements and stored refusals. */
export type UploadFolder = Omit<DiskUploads, 'pathOf'>;
/** An upload folder on a disk. */
export type DiskUploads = Awaited<ReturnType<typeof openUploadFolder>>;

/** The library's store without its constructor's folder creation. That isn't awaited, and its failure would end the process. */
// @ts-expect-error -- the method is private to the library
class FolderStore extends FileStore {
  override checkOrCreateDirectory(): void {
    // Made by `openUploadFolder`.
  }
}

/** Opens the folder, and creates it if needed. It is separate from the media: its files have no address. */
export async function openUploadFolder(directory: string) {
  const root = resolve(directory);
  await mkdir(root, { recursive: true, mode: 0o700 });
  /** Returns the path of an upload's bytes. Throws a TypeError for an invalid id. */
  const pathOf = (id: string) => {
    if (!ID.test(id)) throw new TypeError(`Not an upload: ${JSON.stringify(id)}`);
    return join(root, id);
  };
  /** Stores the announcement of each upload as JSON next to it. An invalid one counts as missing. */
  const configstore: Configstore = {
    get: async (id) => parseAnnounced(await readFile(`${pathOf(id)}.json`, 'utf8').catch(() => '')),
    set: (id, upload) => writeWhole(`${pathOf(id)}.json`, JSON.stringify(upload)),
    delete: (id) => rm(`${pathOf(id)}.json`, { force: true }),
  };
  const store: DataStore = new FolderStore({ directory: root, configstore });
  const dropOf = (id: string, suffixes: string[]) =>
    Promise.all(suffixes.map((suffix) => rm(`${pathOf(id)}${suffix}`, { recursive: true, force: true })));
  const find = async (id: string): Promise<IncomingUpload | null> => {
    const announced = await configstore.get(id);
    const found = await stat(pathOf(id)).catch(() => null);
    return announced === undefined || found === null
      ? null
      : toIncomingUpload(announced, { offset: found.size, touched: found.mtimeMs });
  };
  return {
    store,
    find,
    pathOf,
    /** Calls `work` with a path to the complete upload, valid until it ends. Rejects with the signal's reason. */
    withLocalPath: async <T>(
      id: string,
      _signal: AbortSignal,
      work: (path: string) => Promise<T>,
    ): Promise<T> => work(pathOf(id)),
    /**
     * Calls `work` with paths for converted files, which are deleted afterwards.
     * @param isOwner called at the end; false keeps the files, which may be another node's by then
     */
    async withMade<T>(id: string, work: (places: WorkPaths) => Promise<T>, isOwner = () => true): Promise<T> {
      const path = pathOf(id);
      const places = { made: `${path}.made`, beside: `${path}.beside`, many: `${path}.many` };
      const drop = () => dropOf(id, ['.made', '.beside', '.many']);
      // Leftovers of a killed attempt. A process that still writes there then writes to a deleted file.
      await drop();
      return work(places).finally(() => (isOwner() ? drop() : undefined));
    },
    /** All uploads with bytes and a valid announcement. */
    async list(): Promise<IncomingUpload[]> {
      const uploads = (await readdir(root)).filter(isUploadId).map(find);
      return (await Promise.all(uploads)).filter((upload) => upload !== null);
    },
    /** Removes an upload, and stores its refusal if there is one. */
    async remove(id: string, refused?: RefusedUpload): Promise<void> {
      // The refusal is stored first: after a crash in between, the upload remains and is refused again.
      if (refused !== undefined) await writeWhole(`${pathOf(id)}.refused`, JSON.stringify(refused));
      await dropOf(id, ['', '.json']);
    },
    /** Returns the stored refusal, or null. */
    refused: async (id: string): Promise<RefusedUpload | null> =>
      parseRefused(await readFile(`${pathOf(id)}.refused`, 'utf8').catch(() => '')),
    /** All entries: name, upload id (null for a foreign name) and last write (ms). */
    async entries(): Promise<FolderEntry[]> {
      const entries: FolderEntry[] = [];
      for (const name of await readdir(root)) {
        const found = await stat(join(root, name)).catch(() => null);
        if (found !== null) entries.push({ name, id: NAME.exec(name)?.[1] ?? null, touched: found.mtimeMs });
      }
      return entries;
    },
    /** Removes one entry. */
    drop: (name: string) => rm(join(root, basename(name)), { recursive: true, force: true }),
    /** Free bytes on this node's disk. */
    freeBytes: () => freeBytesOf(root),
  };
}

/** Removes all files of an upload, including its refusal. */
export async function forgetUpload(folder: UploadFolder, id: string): Promise<void> {
  for (const entry of await folder.entries()) if (entry.id === id) await folder.drop(entry.name);
}

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

async function writeWhole(path: string, text: string): Promise<void> {
  const part = `${path.replace(/\.\w+$/, '')}.${randomBytes(8).toString('hex')}.part`;
  await writeFile(part, text, { mode: 0o600 });
  await renameWithRetry(part, path);
}
