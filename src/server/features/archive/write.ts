import { createHash } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import type { SecretName } from '../../auth/secrets.ts';
import { isKnownMigration } from '../../db/migrate.ts';
import type { Db } from '../../db/tables.ts';
import { lastMigration, NewerDatabase } from '../../db/upgrade.ts';
import { FileMissing, type Storage } from '../../storage/storage.ts';
import { listMedia, type Media } from '../media/media.repo.ts';
import { mediaKey } from '../media/media.service.ts';
import { keptOnlyByBin } from '../media/needed.ts';
import { readTablePages, tableNames, withConsistentRead } from './archive.repo.ts';
import { FORMAT, MANIFEST, type Manifest, productVersion } from './manifest.ts';
import { ARCHIVED_TABLES } from './rules.ts';

/** What an archive is made of. */
export type ArchiveSource = {
  db: Db;
  kind: 'sqlite' | 'postgres';
  storage: Storage;
  /** As they are kept in their files. */
  secrets: Partial<Record<SecretName, string>>;
};

type Bytes = AsyncIterable<Buffer | string>;

/**
 * Writes everything there is as one ZIP file: the rows, from one state of the database; the files those rows speak of, opened before
 * anything else is written, so that one which is swept meanwhile is whole all the same; the secrets; and the manifest. What only the bin
 * holds is left out. The product may go on working. Rejects when something can't be read or written: what came out until then is no archive. Closes `sink`.
 */
export async function writeArchive(source: ArchiveSource, sink: Writable, now: Date): Promise<Manifest> {
  const zip = startZip(sink);
  const files: OpenFile[] = [];
  try {
    const { schema, tables, missing } = await withConsistentRead(source, async (tx) => {
      const schema = (await lastMigration(tx)) ?? '';
      if (!isKnownMigration(schema)) throw new NewerDatabase(`The database is at ${schema || 'no version'}`);
      const there = await tableNames(tx);
      // No release had the one without the other.
      const hasBin = there.includes('bin') && there.includes('visit_snapshots');
      const bin = hasBin ? await keptOnlyByBin(tx, now) : new Set<string>();
      const media = (await listMedia(tx)).filter(({ id }) => !bin.has(id));
      for await (const file of openFiles(source.storage, media)) files.push(file);
      const tables = await addTables(zip, { ...source, db: tx });
      return { schema, tables, missing: missingOf(media, files) };
    });
    // Films and pictures are as small as they get.
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
  const there = await tableNames(source.db);
  const counts: Record<string, number> = {};
  // An older database, before an upgrade, doesn't have them all.
  for (const table of ARCHIVED_TABLES.filter((name) => there.includes(name))) {
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

/** One by one: those that are open are known, and closed, when a later one can't be read. */
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

/** A deleted file's bytes may go before its row does; that isn't worth a word. */
function missingOf(media: readonly Media[], files: readonly OpenFile[]): string[] {
  const there = new Set(files.map(({ id }) => id));
  return media.filter(({ id, deleted_at }) => deleted_at === null && !there.has(id)).map(({ nome }) => nome);
}

type Zip = {
  entries: Manifest['entries'];
  /** Adds an entry; resolves when all of it was read. */
  add(name: string, content: Bytes | Iterable<string>, options?: { compress: boolean }): Promise<void>;
  /** Adds the manifest, and resolves when everything is written. */
  end(manifest: Manifest): Promise<void>;
};

/** Nobody but its owner may read what comes out of it. */
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
