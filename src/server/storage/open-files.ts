import type { FileHandle } from 'node:fs/promises';
import type { OpenFile } from './storage.ts';

/** Idle time before a file is closed, in ms. */
const IDLE_MS = 2_000;

/** Open files, each shared by all its readers. */
export type OpenFiles = {
  /** Rejects as `open` does. */
  open(key: string, open: () => Promise<FileHandle>): Promise<OpenFile>;
  /** The key now names another file or none; current readers finish with the old one. */
  forget(key: string): void;
};

type CachedFile = {
  handle: Promise<FileHandle>;
  readers: number;
  isCached: boolean;
  timer: NodeJS.Timeout | null;
};

export function createOpenFiles(): OpenFiles {
  const entries = new Map<string, CachedFile>();

  function drop(key: string, entry: CachedFile): void {
    entry.isCached = false;
    if (entries.get(key) === entry) entries.delete(key);
    if (entry.timer !== null) clearTimeout(entry.timer);
    if (entry.readers === 0) closeQuietly(entry);
  }

  function release(key: string, entry: CachedFile): void {
    entry.readers -= 1;
    if (entry.readers > 0) return;
    if (!entry.isCached) closeQuietly(entry);
    else if (entry.timer !== null) entry.timer.refresh();
    else entry.timer = setTimeout(() => void (entry.readers === 0 && drop(key, entry)), IDLE_MS).unref();
  }

  return {
    async open(key, open) {
      const entry: CachedFile = entries.get(key) ?? {
        handle: open(),
        readers: 0,
        isCached: true,
        timer: null,
      };
      entries.set(key, entry);
      entry.readers += 1;
      try {
        return reader(await entry.handle, () => release(key, entry));
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    forget(key) {
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
