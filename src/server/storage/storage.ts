import type { Readable } from 'node:stream';

/** Bytes `start` to `end` of a file, both included, as in an HTTP range. */
export type ByteRange = { start: number; end: number };

export type StoredFile = { size: number; sha256: string };

/** A file that is open; others may be reading it, too. What is read is always of the file that was opened: where that can't be had any more, it is missing. */
export type OpenFile = {
  /** Fills `into` with the bytes from `position` on, with fewer where the file ends or the system so chooses; none past its end. Returns how many. */
  read(into: Buffer, position: number): Promise<number>;
  /** To be called once it isn't read any more, or nobody wants what is being read; more than once counts once. */
  close(): void;
};

/** What a storage is known by, wherever it is moved to: a text of ours that lies in it, apart from the files. */
export type Identity = {
  /** Null where there is none yet. */
  find(): Promise<string | null>;
  /** Writes it where there is none, and returns what is there: of several who do it at once one is the first. */
  claim(id: string): Promise<string>;
  replace(id: string): Promise<void>;
};

/**
 * Where files are kept. Keys are made by the server: letters, digits, `-`, `_` and one dot; anything else is a TypeError.
 * What the place itself can't do (no room, broken disk) rejects with `StorageUnavailable`.
 */
export type Storage = {
  /** Do the files take up room where `DATA_DIR` is? */
  isOnDisk: boolean;
  /** Stores a stream whole or not at all: a key appears only once every byte is safe. Rejects with the stream's error. */
  put(key: string, content: Readable): Promise<StoredFile>;
  /** Size in bytes, or null when there is no such file. */
  size(key: string): Promise<number | null>;
  /** The file, to read parts of it. Rejects with `FileMissing` when there is none. */
  open(key: string): Promise<OpenFile>;
  /** A stream of the file or of a part of it, in chunks of 1 MiB at most. Rejects with `FileMissing` when there is none. */
  read(key: string, range?: ByteRange): Promise<Readable>;
  /** Lends a path where the whole file can be read by a program, for as long as `work` takes. Rejects with `FileMissing` when there is none. */
  withLocalPath<T>(key: string, work: (path: string) => Promise<T>): Promise<T>;
  /** Removes a file; removing one that is not there is no error. */
  remove(key: string): Promise<void>;
  /** Every key, for the sweep of orphans. On its way it clears what uploads cut by a crash left. */
  keys(): AsyncIterable<string>;
  /** Rejects when the storage can't be used. */
  check(): Promise<void>;
  identity: Identity;
  /** Where files on their way in may wait so that every node finds them; null where a folder has to do. */
  arriving: Objects | null;
};

/** `touched`: when it was written, in ms. */
export type StoredObject = { key: string; size: number; modifiedAt: number };

/** Small things of a bucket, each written and read as a whole, apart from the files. Rejects with `StorageUnavailable`. */
export type Objects = {
  put(key: string, bytes: Buffer): Promise<void>;
  /** Null where there is none. */
  get(key: string): Promise<Buffer | null>;
  /** Those whose key begins so. */
  list(beginning?: string): Promise<StoredObject[]>;
  remove(keys: readonly string[]): Promise<void>;
};

export class FileMissing extends Error {
  override name = 'FileMissing';
}

/** The storage can't do it now; nothing was kept. */
export class StorageUnavailable extends Error {
  override name = 'StorageUnavailable';
}
