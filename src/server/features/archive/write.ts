import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { SecretName } from '../../auth/secrets.ts';
import { isKnownMigration, lastMigration, NewerDatabase } from '../../db/migrate.ts';
import type { Db } from '../../db/tables.ts';
import { FileMissing, type Storage } from '../../storage/storage.ts';
import { listMedia, type Media, mediaKey } from '../media/media.ts';
import { keptOnlyByBin } from '../media/sweep.ts';
import { readTablePages, tableNames, withConsistentRead } from './archive.repo.ts';
import { FORMAT, MANIFEST, type Manifest, productVersion } from './manifest.ts';
import { ARCHIVED_TABLES } from './rules.ts';

/** Sources of an archive. */
export type ArchiveSource = {
  db: Db;
  kind: 'sqlite' | 'postgres';
  storage: Storage;
  /** As their files have them. */
  secrets: Partial<Record<SecretName, string>>;
};

type Bytes = AsyncIterable<Buffer | string>;

/**
 * Writes rows, files, secrets and the manifest as one ZIP file. The rows are one consistent state of the database.
 * Their files are opened first, so that a file removed later is still complete. Content of the bin is left out. The
 * product may keep running. Rejects on any read or write error; then the output is unusable. Closes `sink`.
 */
export async function writeArchive(source: ArchiveSource, sink: Writable, now: Date): Promise<Manifest> {
  const zip = startZip(sink);
  const files: OpenFile[] = [];
  try {
    const { schema, tables, missing } = await withConsistentRead(source, async (tx) => {
      const schema = (await lastMigration(tx)) ?? '';
      if (!isKnownMigration(schema)) throw new NewerDatabase(`The database is at ${schema || 'no version'}`);
      const existing = await tableNames(tx);
      // Both tables came with the same release.
      const hasBin = existing.includes('bin') && existing.includes('visit_snapshots');
      const bin = hasBin ? await keptOnlyByBin(tx, now) : new Set<string>();
      const media = (await listMedia(tx)).filter(({ id }) => !bin.has(id));
      for await (const file of openFiles(source.storage, media)) files.push(file);
      const tables = await addTables(zip, { ...source, db: tx });
      return { schema, tables, missing: missingOf(media, files) };
    });
    // Films and pictures are compressed already.
    for (const { key, content } of files) await zip.add(`media/${key}`, content, { compress: false });
    for (const [name, text] of Object.entries(source.secrets)) await zip.add(`secrets/${name}`, [text]);
    const manifest: Manifest = {
      format: FORMAT,
      schema,
      version: productVersion(),
      created_at: now.toISOString(),
      counts: { tables, media: files.length },
      entries: zip.entries,
      missing,
    };
    await zip.end(manifest);
    return manifest;
  } finally {
    for (const { content } of files) content.destroy();
  }
}

async function addTables(zip: Zip, source: ArchiveSource): Promise<Record<string, number>> {
  const existing = await tableNames(source.db);
  const counts: Record<string, number> = {};
  // A database before an upgrade may not have all tables.
  for (const table of ARCHIVED_TABLES.filter((name) => existing.includes(name))) {
    let count = 0;
    const lines = async function* () {
      for await (const rows of readTablePages(source, table)) {
        count += rows.length;
        yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
      }
    };
    await zip.add(`tables/${table}.jsonl`, lines());
    counts[table] = count;
  }
  return counts;
}

type OpenFile = { id: string; key: string; content: Readable };

/** Yields files one by one, so that the caller can close the open ones if a later one fails. */
async function* openFiles(storage: Storage, media: readonly Media[]): AsyncIterable<OpenFile> {
  for (const each of media) {
    const key = mediaKey(each);
    const content = await storage.read(key).catch((error: unknown) => {
      if (error instanceof FileMissing) return null;
      throw error;
    });
    if (content !== null) yield { id: each.id, key, content };
  }
}

/** Ignores deleted files: their bytes may be removed before their rows. */
function missingOf(media: readonly Media[], files: readonly OpenFile[]): string[] {
  const existing = new Set(files.map(({ id }) => id));
  return media
    .filter(({ id, deleted_at }) => deleted_at === null && !existing.has(id))
    .map(({ nome }) => nome);
}

type Zip = {
  entries: Manifest['entries'];
  /** Adds an entry; resolves after all of it was read. */
  add(name: string, content: Bytes | Iterable<string>, options?: { compress: boolean }): Promise<void>;
  /** Adds the manifest; resolves after everything is written. */
  end(manifest: Manifest): Promise<void>;
};

/** Unix mode of an entry: only its owner can read the unpacked file. */
const MODE = 0o100_600;

function startZip(sink: Writable): Zip {
  const zip = new ZipFile();
  const entries: Manifest['entries'] = {};
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  zip.on('error', failed.reject);
  const written = pipeline(zip.outputStream, sink);
  written.catch(failed.reject);

  return {
    entries,
    async add(name, content, options = { compress: true }) {
      const hash = createHash('sha256');
      let size = 0;
      const read = Promise.withResolvers<void>();
      const counted = async function* () {
        for await (const chunk of content) {
          hash.update(chunk);
          size += Buffer.byteLength(chunk);
          yield chunk;
        }
      };
      const stream = Readable.from(counted(), { objectMode: false });
      stream.once('end', read.resolve).once('error', failed.reject);
      zip.addReadStream(stream, name, { ...options, mode: MODE });
      await Promise.race([read.promise, failed.promise]).finally(() => stream.destroy());
      entries[name] = { size, sha256: hash.digest('hex') };
    },
    async end(manifest) {
      zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST, { mode: MODE });
      zip.end();
      await Promise.race([written, failed.promise]);
    },
  };
}
