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
import { isSecretName } from '../../auth/secrets.ts';
import { isUnavailable } from '../../db/errors.ts';
import { isKnownMigration } from '../../db/migrate.ts';
import { diskStorage, isStorageKey } from '../../storage/disk.ts';
import { FORMAT, MANIFEST, type Manifest, manifestSchema } from './manifest.ts';
import { ArchiveRejected } from './refused-archive.ts';
import { ARCHIVED_TABLES } from './rules.ts';

const damaged = (why: string) => new ArchiveRejected('ARCHIVE_DAMAGED', why);

/** Largest manifest that is read, in bytes: about 100,000 files. */
const MAX_MANIFEST_BYTES = 16 * 1024 ** 2;

/**
 * Unpacks an archive into an empty folder (`tables/…`, `media/…`, `secret-…`). Verifies that entries and manifest match
 * exactly. Rejects with `ArchiveRejected` if they differ; then the unpacked files must not be used.
 */
export async function unpackArchive(file: string, folder: string): Promise<Manifest> {
  if (!(await isZip(file))) throw new ArchiveRejected('ARCHIVE_FOREIGN', 'It is no ZIP file');
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false }).catch(orDamaged);
  try {
    const entries = await entriesOf(zip);
    const manifest = await readManifest(zip, entries);
    await mkdir(join(folder, 'tables'), { mode: 0o700 });
    const media = await diskStorage(join(folder, 'media'));
    for (const [name, expected] of Object.entries(manifest.entries)) {
      const entry = entries.get(name);
      if (entry === undefined) throw damaged(`${name} is missing`);
      const content = hashed(await zip.openReadStreamPromise(entry).catch(orDamaged));
      await write(targetOf(name), content.stream, { folder, media });
      const { size, sha256 } = content.found();
      if (size !== expected.size || sha256 !== expected.sha256)
        throw damaged(`${name} is not what was written`);
    }
    return manifest;
  } finally {
    zip.close();
  }
}

/** First bytes of every ZIP file that is not empty. */
const ZIP = 'PK\u0003\u0004';

async function isZip(file: string): Promise<boolean> {
  const start = await buffer(createReadStream(file, { start: 0, end: ZIP.length - 1 }));
  return start.toString('latin1') === ZIP;
}

async function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  try {
    for await (const entry of zip.eachEntry()) {
      if (entries.has(entry.fileName)) throw damaged(`${entry.fileName} is there twice`);
      entries.set(entry.fileName, entry);
    }
  } catch (error) {
    orDamaged(error);
  }
  return entries;
}

/** Checked first: an archive of a newer version is not damaged. */
const versionSchema = z.object({ format: z.int(), schema: z.string() });

async function readManifest(zip: ZipFile, entries: Map<string, Entry>): Promise<Manifest> {
  const entry = entries.get(MANIFEST);
  if (entry === undefined || entry.uncompressedSize > MAX_MANIFEST_BYTES)
    throw new ArchiveRejected('ARCHIVE_FOREIGN', `There is no ${MANIFEST}`);
  const text = await zip.openReadStreamPromise(entry).then(buffer).catch(orDamaged);
  if (crc32(text) !== entry.crc32) throw damaged(`${MANIFEST} is not what was written`);
  const content: unknown = parsed(text.toString());
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

type EntryTarget = { kind: 'table' | 'secret' | 'media'; name: string };

/** Returns the target of an entry. Only names that this product writes are accepted. */
function targetOf(entry: string): EntryTarget {
  const [, table = ''] = /^tables\/(.+)\.jsonl$/.exec(entry) ?? [];
  if (ARCHIVED_TABLES.includes(table)) return { kind: 'table', name: table };
  const [, secret = ''] = /^secrets\/(.+)$/.exec(entry) ?? [];
  if (isSecretName(secret)) return { kind: 'secret', name: secret };
  const [, key = ''] = /^media\/(.+)$/.exec(entry) ?? [];
  if (isStorageKey(key)) return { kind: 'media', name: key };
  throw damaged(`${entry} belongs nowhere`);
}

type UnpackTargets = { folder: string; media: Awaited<ReturnType<typeof diskStorage>> };

async function write(
  { kind, name }: EntryTarget,
  content: Readable,
  { folder, media }: UnpackTargets,
): Promise<void> {
  if (kind === 'media') {
    await media.put(name, content).catch(orDamaged);
    return;
  }
  const path = kind === 'table' ? tablePath(folder, name) : join(folder, `secret-${name}`);
  await pipeline(content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })).catch(
    orDamaged,
  );
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

type Row = Record<string, unknown>;
/** A partly read line. */
type Line = { pieces: string[]; length: number; besideTexts: number; isText: boolean; isEscaped: boolean };

const newLine = (): Line => ({ pieces: [], length: 0, besideTexts: 0, isText: false, isEscaped: false });

/** Yields the rows of an unpacked table in pages. Rejects with `ArchiveRejected` if a row is longer than any stored one. */
export async function* unpackedRows(folder: string, table: string): AsyncGenerator<Row[]> {
  let line = newLine();
  // Node's readline also splits at U+2028, which a phrase may contain.
  for await (const chunk of createReadStream(tablePath(folder, table), 'utf8') as AsyncIterable<string>) {
    const rows: Row[] = [];
    for (const [index, piece] of chunk.split('\n').entries()) {
      if (index > 0) {
        rows.push(JSON.parse(line.pieces.join('')) as Row);
        line = newLine();
      }
      add(piece, line);
      if (line.length > MAX_ROW_LENGTH || line.besideTexts > MAX_OUTSIDE_TEXTS)
        throw damaged(`A row of ${table} is longer than any`);
    }
    if (rows.length === 0) continue;
    // Lets other requests run between parsing a long row and storing it.
    await setImmediate();
    yield rows;
  }
}

function add(piece: string, line: Line): void {
  let { besideTexts, isText, isEscaped } = line;
  for (let at = 0; at < piece.length; at += 1) {
    const code = piece.charCodeAt(at);
    if (isEscaped) isEscaped = false;
    else if (code === BACKSLASH) isEscaped = true;
    else if (code === QUOTE) isText = !isText;
    else if (!isText) besideTexts += 1;
  }
  line.pieces.push(piece);
  Object.assign(line, { length: line.length + piece.length, besideTexts, isText, isEscaped });
}

const BACKSLASH = 0x5c;
const QUOTE = 0x22;

function hashed(stream: AsyncIterable<Buffer>) {
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* () {
    for await (const chunk of stream) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  };
  return {
    stream: Readable.from(counted(), { objectMode: false }),
    found: () => ({ size, sha256: hash.digest('hex') }),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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
