import { createHash, randomBytes } from 'node:crypto';
import {
  type FileHandle,
  link,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  statfs,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DISK_SPACE, HOUR_MS } from '../../domain/limits.ts';
import { errorCode } from '../db/errors.ts';
import {
  FileMissing,
  type Identity,
  type OpenFile,
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
    const parts = alone ? (await readdir(root)).filter((name) => PARTIAL.test(name)) : [];
    await Promise.all(parts.map((name) => rm(join(root, name), { force: true })));
  });

  const files = createOpenFiles();

  return {
    isOnDisk: true,
    put: async (key, content) => {
      const path = pathOf(key);
      const stored = await withPart(root, key, {
        write: (file) => write(file, root, content, freeBytes),
        name: (part) => renameWithRetry(part, path),
      }).finally(() => content.destroy());
      files.forget(key);
      return stored;
    },
    open: async (key) => files.open(key, () => openFile(pathOf(key), key)),
    size: async (key) => sizeOf(pathOf(key)),
    read: async (key) => {
      const file = await openFile(pathOf(key), key);
      return file.createReadStream({ highWaterMark: CHUNK });
    },
    withLocalPath: async (key, work) => {
      if ((await sizeOf(pathOf(key))) === null) throw new FileMissing(key);
      return work(pathOf(key));
    },
    remove: async (key) => {
      await convertDiskErrors(() => rm(pathOf(key), { force: true }));
      files.forget(key);
    },
    keys: () => walk(root),
    check: () =>
      convertDiskErrors(async () => {
        await requireRoom(root, freeBytes);
        await withPart(root, 'probe', { write: (file) => file.appendFile('probe') });
      }),
    identity: identityIn(root),
    arriving: null,
  };
}

/** The leading dot excludes it from the keys. */
function identityIn(root: string): Identity {
  const path = join(root, '.identity');
  const find = () => convertDiskErrors(async () => readFile(path, 'utf8').catch(orNull));
  const write = (id: string, name: (part: string) => Promise<void>) =>
    convertDiskErrors(() =>
      withPart(root, 'identity', { write: (file) => file.writeFile(id).then(() => file.sync()), name }),
    );
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
  if (errorCode(error) !== 'EEXIST') throw error;
}

type PartSteps<T> = { write(file: FileHandle): Promise<T>; name?(part: string): Promise<void> };

/**
 * Writes to a temporary file, which `write` syncs, and names it: a file is complete or missing, even after a crash. Without `name` it is
 * deleted. Errors of `write` pass unchanged.
 */
async function withPart<T>(root: string, key: string, { write, name }: PartSteps<T>): Promise<T> {
  const part = join(root, `.${key}.${randomBytes(8).toString('hex')}.part`);
  const file = await convertDiskErrors(() => open(part, 'wx', 0o600));
  try {
    const written = await write(file).finally(() => file.close());
    if (name !== undefined) await convertDiskErrors(() => name(part).then(() => syncDirectory(root)));
    return written;
  } finally {
    await rm(part, { force: true }).catch(() => undefined);
  }
}

async function write(
  file: FileHandle,
  root: string,
  content: AsyncIterable<string | Buffer>,
  freeBytes: RoomIn,
): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  let checkedUpTo = 0;
  for await (const chunk of content) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    if (size >= checkedUpTo) {
      await requireRoom(root, freeBytes);
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

const sizeOf = (path: string) =>
  convertDiskErrors(async () => {
    const found = await stat(path).catch(orNull);
    return found?.isFile() ? found.size : null;
  });

async function openFile(path: string, key: string): Promise<FileHandle> {
  const file = await convertDiskErrors(() => open(path, 'r').catch(orNull));
  if (!file) throw new FileMissing(`No file ${key}`);
  return file;
}

/** Lists the keys, and deletes leftovers of a crash. */
async function* walk(root: string): AsyncIterable<string> {
  for await (const entry of await convertDiskErrors(() => opendir(root))) {
    if (!entry.isFile()) continue;
    const { name } = entry;
    if (KEY.test(name)) yield name;
    if (!PARTIAL.test(name)) continue;
    const found = await stat(join(root, name)).catch(orNull);
    if (found && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(join(root, name), { force: true });
  }
}

/** The last free space is reserved for the database. */
async function requireRoom(root: string, freeBytes: RoomIn): Promise<void> {
  if ((await convertDiskErrors(() => freeBytes(root))) >= DISK_SPACE.files) return;
  const cause = Object.assign(new Error('no room for files'), { code: 'ENOSPC' });
  throw new StorageUnavailable(`Less than ${DISK_SPACE.files} bytes are free in ${root}`, { cause });
}

type RoomIn = (folder: string) => Promise<number>;

/** Returns the free bytes of a folder's disk. */
export async function freeBytesOf(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

function orNull(error: unknown): null {
  if (errorCode(error) !== 'ENOENT') throw error;
  return null;
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

/** Idle time before a file is closed, in ms. */
const IDLE_MS = 2_000;

type CachedFile = { handle: Promise<FileHandle>; readers: number; timer?: NodeJS.Timeout };

/** Open files, each shared by all its readers. */
export function createOpenFiles() {
  const entries = new Map<string, CachedFile>();

  function drop(key: string, entry: CachedFile): void {
    if (entries.get(key) === entry) entries.delete(key);
    clearTimeout(entry.timer);
    if (entry.readers === 0) closeQuietly(entry);
  }

  function release(key: string, entry: CachedFile): void {
    entry.readers -= 1;
    if (entry.readers > 0) return;
    if (entries.get(key) === entry) entry.timer = setTimeout(drop, IDLE_MS, key, entry).unref();
    else closeQuietly(entry);
  }

  return {
    /** Rejects as `open` does. */
    async open(key: string, open: () => Promise<FileHandle>): Promise<OpenFile> {
      const entry: CachedFile = entries.get(key) ?? { handle: open(), readers: 0 };
      entries.set(key, entry);
      clearTimeout(entry.timer);
      entry.readers += 1;
      try {
        return reader(await entry.handle, () => release(key, entry));
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    /** The key now names another file or none; current readers finish with the old one. */
    forget(key: string): void {
      const entry = entries.get(key);
      if (entry !== undefined) drop(key, entry);
    },
  };
}

function reader(handle: FileHandle, release: () => void): OpenFile {
  let open = true;
  return {
    async read(into, position) {
      const { bytesRead } = await handle.read(into, 0, into.length, position);
      return bytesRead;
    },
    close() {
      if (open) release();
      open = false;
    },
  };
}

/** The file was only read, so a failed close loses nothing. */
function closeQuietly({ handle }: CachedFile): void {
  handle.then((file) => file.close()).catch(() => undefined);
}

/** Waits before the retries, in ms: a virus scanner releases a new file within half a second. */
const RETRY_WAITS_MS = [20, 50, 100, 200, 400, 800];
const FILE_IN_USE = new Set(['EPERM', 'EBUSY']);

/**
 * Renames a file, replacing an existing one. Windows refuses while either is open: retries for a while there.
 * @param attempt replaced in tests
 */
export async function renameWithRetry(from: string, to: string, attempt = rename): Promise<void> {
  const pauses = process.platform === 'win32' ? RETRY_WAITS_MS : [];
  for (const pause of pauses) {
    try {
      return await attempt(from, to);
    } catch (error) {
      if (!FILE_IN_USE.has(errorCode(error))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return attempt(from, to);
}
