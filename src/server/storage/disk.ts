import { createHash, randomBytes } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { DISK_SPACE, HOUR_MS } from '../../domain/limits.ts';
import { createOpenFiles } from './open-files.ts';
import { renameWithRetry } from './rename.ts';
import {
  type ByteRange,
  FileMissing,
  type Identity,
  type Storage,
  StorageUnavailable,
  type StoredFile,
} from './storage.ts';

const KEY = /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,20})?$/;
/** The leading dot excludes a partial file from the keys. */
const PARTIAL = /^\.[A-Za-z0-9_.-]+\.part$/;
/** Age in ms at which a partial file counts as a leftover of a crash. */
const ABANDONED_MS = HOUR_MS;
const CHUNK = 1024 * 1024;
export const isStorageKey = (text: string): boolean => KEY.test(text);

/**
 * Stores files in one directory of this machine, created if missing. A stored file survives a power cut.
 * @param alone true if no other process writes there: leftovers of a crash are deleted at once, not after an hour
 * @param room returns the free bytes of a folder
 */
export async function diskStorage(
  directory: string,
  { alone = false, room: freeBytes = freeBytesOf }: { alone?: boolean; room?: RoomIn } = {},
): Promise<Storage> {
  const root = resolve(directory);
  const pathOf = (key: string) => {
    if (!isStorageKey(key)) throw new TypeError(`Not a key: ${JSON.stringify(key)}`);
    return join(root, key);
  };
  await convertDiskErrors(async () => {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await syncDirectory(dirname(root));
    if (alone) await removeParts(root);
  });

  const files = createOpenFiles();

  return {
    isOnDisk: true,
    put: async (key, content) => {
      const stored = await store(pathOf(key), partPath(root, key), content, freeBytes);
      files.forget(key);
      return stored;
    },
    open: async (key) => files.open(key, () => openFile(pathOf(key), key)),
    size: async (key) => sizeOf(pathOf(key)),
    read: async (key, range) => openStream(pathOf(key), key, range),
    withLocalPath: async (key, work) => {
      if ((await sizeOf(pathOf(key))) === null) throw new FileMissing(key);
      return work(pathOf(key));
    },
    remove: async (key) => {
      await convertDiskErrors(() => rm(pathOf(key), { force: true }));
      files.forget(key);
    },
    keys: () => walk(root),
    check: () => convertDiskErrors(() => probe(root, freeBytes)),
    identity: identityIn(root),
    arriving: null,
  };
}

/** The leading dot excludes it from the keys. */
function identityIn(root: string): Identity {
  const path = join(root, '.identity');
  const find = () => convertDiskErrors(async () => readFile(path, 'utf8').catch(orNull));
  const write = (id: string, name: (part: string) => Promise<void>) =>
    convertDiskErrors(async () => {
      const part = partPath(root, 'identity');
      const file = await open(part, 'wx', 0o600);
      try {
        await file.writeFile(id);
        await file.sync().finally(() => file.close());
        await name(part);
      } finally {
        await rm(part, { force: true });
      }
      await syncDirectory(root);
    });
  return {
    find,
    async claim(id) {
      if ((await find()) === null) await write(id, (part) => link(part, path).catch(ignoreExisting));
      return (await find()) ?? id;
    },
    replace: (id) => write(id, (part) => renameWithRetry(part, path)),
  };
}

/** Another process was faster. */
function ignoreExisting(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
}

function partPath(root: string, key: string): string {
  return join(root, `.${key}.${randomBytes(8).toString('hex')}.part`);
}

/** Writes to a temporary file, syncs and renames it: a file is complete or missing, even after a crash. */
async function store(path: string, part: string, content: Readable, freeBytes: RoomIn): Promise<StoredFile> {
  let file: FileHandle;
  try {
    file = await convertDiskErrors(() => open(part, 'wx', 0o600));
  } catch (error) {
    content.destroy();
    throw error;
  }
  try {
    const stored = await write(file, part, content, freeBytes).finally(() => file.close());
    await convertDiskErrors(() => renameWithRetry(part, path));
    await convertDiskErrors(() => syncDirectory(dirname(path)));
    return stored;
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

async function write(
  file: FileHandle,
  path: string,
  content: AsyncIterable<string | Buffer>,
  freeBytes: RoomIn,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  let checkedUpTo = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (size >= checkedUpTo) {
      await requireRoom(dirname(path), freeBytes);
      checkedUpTo += CHUNK;
    }
    await convertDiskErrors(() => file.appendFile(bytes));
    hash.update(bytes);
    size += bytes.length;
  }
  await convertDiskErrors(() => file.sync());
  return { size, sha256: hash.digest('hex') };
}

/** Makes the names in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  // Windows can't sync directories.
  if (process.platform === 'win32') return;
  const directory = await open(path, 'r');
  await directory.sync().finally(() => directory.close());
}

async function sizeOf(path: string): Promise<number | null> {
  return convertDiskErrors(async () => {
    const found = await stat(path).catch(orNull);
    return found?.isFile() ? found.size : null;
  });
}

async function openStream(path: string, key: string, range?: ByteRange): Promise<Readable> {
  if (range && !(range.start >= 0 && range.end >= range.start)) throw new RangeError('Not a range of bytes');
  const file = await openFile(path, key);
  return file.createReadStream({ highWaterMark: CHUNK, ...range });
}

async function openFile(path: string, key: string): Promise<FileHandle> {
  const file = await convertDiskErrors(() => open(path, 'r').catch(orNull));
  if (!file) throw new FileMissing(`No file ${key}`);
  return file;
}

async function* walk(root: string): AsyncIterable<string> {
  for await (const entry of await convertDiskErrors(() => opendir(root))) {
    if (!entry.isFile()) continue;
    if (KEY.test(entry.name)) yield entry.name;
    else if (PARTIAL.test(entry.name)) await removeIfAbandoned(join(root, entry.name));
  }
}

async function removeIfAbandoned(part: string): Promise<void> {
  const found = await stat(part).catch(orNull);
  if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(part, { force: true });
}

async function removeParts(root: string): Promise<void> {
  const parts = (await readdir(root)).filter((name) => PARTIAL.test(name));
  await Promise.all(parts.map((name) => rm(join(root, name), { force: true })));
}

async function probe(root: string, freeBytes: RoomIn): Promise<void> {
  await requireRoom(root, freeBytes);
  const part = partPath(root, 'probe');
  const file = await open(part, 'wx', 0o600);
  try {
    await file.appendFile('probe').finally(() => file.close());
  } finally {
    await rm(part, { force: true });
  }
}

/** The last free space is reserved for the database. */
async function requireRoom(root: string, freeBytes: RoomIn): Promise<void> {
  if ((await convertDiskErrors(() => freeBytes(root))) >= DISK_SPACE.files) return;
  const cause = Object.assign(new Error('no room for files'), { code: 'ENOSPC' });
  throw new StorageUnavailable(`Less than ${DISK_SPACE.files} bytes are free in ${root}`, { cause });
}

type RoomIn = (folder: string) => Promise<number>;

async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function orNull(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}

/** Converts disk errors to `StorageUnavailable`. Errors of the stored stream pass unchanged. */
async function convertDiskErrors<T>(operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    if (error instanceof StorageUnavailable || !(error instanceof Error && 'syscall' in error)) throw error;
    throw new StorageUnavailable(error.message, { cause: error });
  }
}
