import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a file, both included, as in an HTTP range. */
export type ByteRange = { start: number; end: number };

export type StoredFile = { size: number; sha256: string };

/** An open file, possibly with other readers. Reads return the opened version, or reject as missing if it isn't available. */
export type OpenFile = {
  /**
   * Reads bytes from `position` into `into`; fewer at the end of the file or if the system returns fewer, 0 past the end. Returns the
   * number of bytes.
   */
  read(into: Buffer, position: number): Promise<number>;
  /** Closes the file and aborts a running read. Further calls do nothing. */
  close(): void;
};

/** A text that identifies a storage even after a move; stored apart from the files. */
export type Identity = {
  /** Null if there is none yet. */
  find(): Promise<string | null>;
  /** Stores `id` if there is none, and returns the stored one: of concurrent calls the first succeeds. */
  claim(id: string): Promise<string>;
  replace(id: string): Promise<void>;
};

/**
 * The stored files. Keys are created by the server: letters, digits, `-`, `_` and one dot; others are a TypeError. Failures of the medium
 * (full, broken) reject with `StorageUnavailable`.
 */
export type Storage = {
  /** True if the files use the disk of `DATA_DIR`. */
  isOnDisk: boolean;
  /** Stores a stream completely or not at all: the key appears only after all bytes are durable. Rejects with the stream's error. */
  put(key: string, content: Readable): Promise<StoredFile>;
  /** Size in bytes, or null if the file is missing. */
  size(key: string): Promise<number | null>;
  /** Opens a file for reading parts of it. Rejects with `FileMissing` if it is missing. */
  open(key: string): Promise<OpenFile>;
  /** Returns a file as a stream with chunks of at most 1 MiB. Rejects with `FileMissing` if it is missing. */
  read(key: string): Promise<Readable>;
  /** Provides a local path of the whole file while `work` runs, for programs. Rejects with `FileMissing` if it is missing. */
  withLocalPath<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes a file; a missing one is no error. */
  remove(key: string): Promise<void>;
  /** Lists all keys, for the sweep of orphans. Also deletes leftovers of uploads that a crash interrupted. */
  keys(): AsyncIterable<string>;
  /** Rejects if the storage is unavailable. */
  check(): Promise<void>;
  identity: Identity;
  /** Storage of uploads in progress that all nodes share; null if a folder is used instead. */
  arriving: Objects | null;
};

/** `modifiedAt`: time of the last write, in ms since 1970. */
export type StoredObject = { key: string; size: number; modifiedAt: number };

/** Small objects of a bucket, apart from the files, each read and written as a whole. Rejects with `StorageUnavailable`. */
export type Objects = {
  put(key: string, bytes: Buffer): Promise<void>;
  /** Null if it is missing. */
  get(key: string): Promise<Buffer | null>;
  /** Lists objects whose key begins with `beginning`. */
  list(beginning?: string): Promise<StoredObject[]>;
  remove(keys: readonly string[]): Promise<void>;
};

export class FileMissing extends Error {
  override name = 'FileMissing';
}

/** The storage is unavailable; nothing was stored. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}

/** Splits a stream into parts of equal size; the last one is smaller or empty. */
export async function* splitStream(
  content: AsyncIterable<string | Buffer>,
  partBytes: number,
): AsyncGenerator<{ bytes: Buffer; isLast: boolean }> {
  let chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    let bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    while (length + bytes.length > partBytes) {
      const rest = partBytes - length;
      yield { bytes: Buffer.concat([...chunks, bytes.subarray(0, rest)]), isLast: false };
      [chunks, length, bytes] = [[], 0, bytes.subarray(rest)];
    }
    // A stream may reuse its buffer.
    chunks.push(Buffer.from(bytes));
    length += bytes.length;
  }
  yield { bytes: Buffer.concat(chunks), isLast: true };
}
