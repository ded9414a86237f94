import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { z } from 'zod';
import { isSecretName, secretFile } from '../../auth/secrets.ts';
import { isUnavailable } from '../../db/errors.ts';
import { isKnownMigration } from '../../db/migrate.ts';
import { diskStorage, isStorageKey } from '../../storage/disk.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Row } from './archive.repo.ts';
import {
  ARCHIVED_TABLES,
  ArchiveRejected,
  FORMAT,
  MANIFEST,
  type Manifest,
  manifestSchema,
} from './rules.ts';
import { readStart } from './sealed-file.ts';

const damaged = (why: string) => new ArchiveRejected('ARCHIVE_DAMAGED', why);

/** First bytes of every ZIP file that is not empty. */
const ZIP = 'PK\u0003\u0004';
/** Largest manifest that is read, in bytes: about 100,000 files. */
const MAX_MANIFEST_BYTES = 16 * 1024 ** 2;

/**
 * Unpacks an archive into an empty folder (`tables/…`, `media/…`, `secret-…`). Verifies that entries and manifest match
 * exactly. Rejects with `ArchiveRejected` if they differ; then the unpacked files must not be used.
 */
export async function unpackArchive(file: string, folder: string): Promise<Manifest> {
  if ((await readStart(file, ZIP.length)).toString('latin1') !== ZIP)
    throw new ArchiveRejected('ARCHIVE_FOREIGN', 'It is no ZIP file');
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(orDamaged);
  return unpack(zip, folder)
    .catch(orDamaged)
    .finally(() => zip.close());
}

async function unpack(zip: ZipFile, folder: string): Promise<Manifest> {
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw damaged(`${entry.fileName} is there twice`);
    entries.set(entry.fileName, entry);
  }
  const manifest = await readManifest(zip, entries);
  await mkdir(join(folder, 'tables'), { mode: 0o700 });
  const media = await diskStorage(join(folder, 'media'));
  for (const [name, expected] of Object.entries(manifest.entries)) {
    const entry = entries.get(name);
    if (entry === undefined) throw damaged(`${name} is missing`);
    const { stream, found } = hashed(await zip.openReadStreamPromise(entry));
    await store(name, stream, folder, media);
    const { size, sha256 } = found();
    if (size !== expected.size || sha256 !== expected.sha256)
      throw damaged(`${name} is not what was written`);
  }
  return manifest;
}

/** Checked first: an archive of a newer version is not damaged. */
const versionSchema = z.object({ format: z.int(), schema: z.string() });

async function readManifest(zip: ZipFile, entries: Map<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST_BYTES)
    throw new ArchiveRejected('ARCHIVE_FOREIGN', `There is no ${MANIFEST}`);
  const text = await buffer(await zip.openReadStreamPromise(entry));
  if (crc32(text) !== entry.crc32) throw damaged(`${MANIFEST} is not what was written`);
  const content: unknown = JSON.parse(text.toString());
  const version = versionSchema.safeParse(content);
  if (!version.success) throw damaged(`${MANIFEST} says no version`);
  const { format, schema } = version.data;
  if (format > FORMAT || !isKnownMigration(schema))
    throw new ArchiveRejected('ARCHIVE_NEWER', `Its format is ${format}, its schema ${schema}`);
  const manifest = manifestSchema.safeParse(content);
  if (!manifest.success) throw damaged(`${MANIFEST} can't be read`);
  if (Object.keys(manifest.data.entries).length !== entries.size - 1)
    throw damaged('There is more than was written');
  return manifest.data;
}

/** Stores the content of an entry. Only names that this product writes are accepted. */
async function store(name: string, content: Readable, folder: string, media: Storage): Promise<void> {
  const [, key = ''] = /^media\/(.+)$/.exec(name) ?? [];
  const [, table = ''] = /^tables\/(.+)\.jsonl$/.exec(name) ?? [];
  const [, secret = ''] = /^secrets\/(.+)$/.exec(name) ?? [];
  const options = { flags: 'wx', mode: 0o600, flush: true };
  if (isStorageKey(key)) await media.put(key, content);
  else if (ARCHIVED_TABLES.includes(table))
    await pipeline(content, createWriteStream(tablePath(folder, table), options));
  else if (isSecretName(secret))
    await pipeline(content, createWriteStream(secretFile(folder, secret), options));
  else throw damaged(`${name} belongs nowhere`);
}

/** Returns the path of a table's unpacked rows. */
export const tablePath = (folder: string, table: string) => join(folder, 'tables', `${table}.jsonl`);

/**
 * Longest row that is read, in characters. The longest that can be stored has 80 million: a visit's snapshot with full
 * lists of `{nome}` and the longest name.
 */
export const MAX_ROW_LENGTH = 128 * 1024 ** 2;
/** Maximum characters of a row outside its texts: a parsed line full of values takes thirty times its own memory. */
const MAX_OUTSIDE_TEXTS = 64 * 1024;

/** Yields the rows of an unpacked table in pages. Rejects with `ArchiveRejected` if a row is longer than any stored one. */
export async function* unpackedRows(folder: string, table: string): AsyncGenerator<Row[]> {
  // The line that is read: its pieces and length, the characters outside its texts, and where it stands.
  let pieces: string[] = [];
  let [length, outsideTexts, isText, isEscaped] = [0, 0, false, false];
  // Node's readline also splits at U+2028, which a phrase may contain.
  for await (const chunk of createReadStream(tablePath(folder, table), 'utf8') as AsyncIterable<string>) {
    const rows: Row[] = [];
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        rows.push(JSON.parse(pieces.join('')) as Row);
        [pieces, length, outsideTexts, isText, isEscaped] = [[], 0, 0, false, false];
      }
      for (let at = 0; at < piece.length; at += 1) {
        const code = piece.charCodeAt(at);
        if (isEscaped) isEscaped = false;
        else if (code === BACKSLASH) isEscaped = true;
        else if (code === QUOTE) isText = !isText;
        else if (!isText) outsideTexts += 1;
      }
      pieces.push(piece);
      length += piece.length;
      if (length > MAX_ROW_LENGTH || outsideTexts > MAX_OUTSIDE_TEXTS)
        throw damaged(`A row of ${table} is longer than any`);
    }
    if (rows.length === 0) continue;
    // Lets other requests run between parsing a long row and storing it.
    await setImmediate();
    yield rows;
  }
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

/** Returns the content as a stream, and its size and hash after all of it was read. */
export function hashed(content: AsyncIterable<Buffer | string> | Iterable<string>) {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* () {
    for await (const chunk of content) {
      hash.update(chunk);
      size += Buffer.byteLength(chunk);
      yield chunk;
    }
  };
  return {
    stream: Readable.from(counted(), { objectMode: false }),
    found: () => ({ size, sha256: hash.digest('hex') }),
  };
}

/**
 * Throws `ArchiveRejected` for an error of the ZIP reader, its decompressor or a table; rethrows errors of the system
 * and of an unavailable database.
 */
export function orDamaged(error: unknown): never {
  const bySystem =
    isUnavailable(error) ||
    (error instanceof Error &&
      ('syscall' in error || (error.cause instanceof Error && 'syscall' in error.cause)));
  if (bySystem || error instanceof ArchiveRejected) throw error;
  throw damaged(error instanceof Error ? error.message : String(error));
}
