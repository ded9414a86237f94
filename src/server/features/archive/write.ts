import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';
import { upgradeTexts } from '../../../texts/commands.ts';
import { SECRET_NAMES, type SecretEnv, type SecretName, secretText } from '../../auth/secrets.ts';
import {
  type BeforeUpgrade,
  isKnownMigration,
  lastMigration,
  NewerDatabase,
  UpgradeFailed,
} from '../../db/migrate.ts';
import { productVersion } from '../../place.ts';
import { syncDirectory } from '../../storage/disk.ts';
import { openStorage, type StorageEnv } from '../../storage/open.ts';
import { FileMissing, type Storage } from '../../storage/storage.ts';
import { listMedia, mediaKey } from '../media/media.ts';
import { keptOnlyByBin } from '../media/sweep.ts';
import { type Database, readTablePages, tableNames, withConsistentRead } from './archive.repo.ts';
import { hashed } from './read.ts';
import { ARCHIVED_TABLES, FORMAT, MANIFEST, type Manifest } from './rules.ts';
import { createEncryptStream } from './sealed-file.ts';

/** Sources of an archive. */
export type ArchiveSource = Database & {
  storage: Storage;
  /** As their files have them. */
  secrets: Partial<Record<SecretName, string>>;
};

/** Number of backups before an upgrade to retain. */
const MAX_BACKUPS = 3;
/** Matches the product's own backups; other files in the folder are not touched. */
const BACKUP_NAME = /^before-[\w.-]+-from-[\w-]+\.zip$/;

/**
 * Writes an archive to `DATA_DIR/backups` before an older version's tables are migrated, and retains the last three.
 * The name holds both versions, so that a repeated start overwrites only its own backup. Rejects with `UpgradeFailed`.
 */
export function backupBeforeUpgrade(env: StorageEnv & SecretEnv): BeforeUpgrade {
  return async ({ db, kind, from }) => {
    const folder = resolve(join(env.DATA_DIR, 'backups'));
    const file = join(folder, `before-${productVersion()}-from-${from}.zip`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeArchiveFile({ db, kind }, env, file);
      const names = (await readdir(folder)).filter((name) => BACKUP_NAME.test(name));
      const dated = names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs }));
      const newestFirst = (await Promise.all(dated)).toSorted((a, b) => b.at - a.at);
      for (const { name } of newestFirst.slice(MAX_BACKUPS)) await rm(join(folder, name));
      return file;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UpgradeFailed(upgradeTexts.noCopy(folder, reason), { cause: error });
    }
  };
}

/**
 * Writes an archive of an open database, its files and its secrets. Writes `FILE.part`, then renames it after a flush,
 * so that `FILE` is always complete. Replaces an existing `FILE`.
 * @param passphrase encrypts the archive; empty for a plain one
 */
export async function writeArchiveFile(
  database: Database,
  env: StorageEnv & SecretEnv,
  file: string,
  passphrase = '',
): Promise<Manifest> {
  const part = `${file}.part`;
  // A killed process may have left one.
  await rm(part, { force: true });
  const handle = await open(part, 'wx', 0o600);
  try {
    const storage = await openStorage(env);
    const source = { ...database, storage, secrets: await readSecrets(env) };
    const sink = handle.createWriteStream({ flush: true });
    const manifest = await writeSealed(source, sink, { passphrase, now: new Date() });
    await rename(part, file);
    await syncDirectory(dirname(file));
    return manifest;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Returns the secrets as their files have them, or would. */
export async function readSecrets(env: SecretEnv): Promise<ArchiveSource['secrets']> {
  const secrets: ArchiveSource['secrets'] = {};
  for (const name of SECRET_NAMES) {
    const text = await secretText(env, name);
    if (text !== null) secrets[name] = text;
  }
  return secrets;
}

/** Writes the archive, encrypted if there is a passphrase. Closes `sink`. */
export async function writeSealed(
  source: ArchiveSource,
  sink: Writable,
  { passphrase, now }: { passphrase: string; now: Date },
): Promise<Manifest> {
  if (passphrase === '') return writeArchive(source, sink, now);
  const sealed = await createEncryptStream(passphrase);
  const written = pipeline(sealed, sink);
  const [manifest] = await Promise.all([writeArchive(source, sealed, now), written]);
  return manifest;
}

/**
 * Writes rows, files, secrets and the manifest as one ZIP file. The rows are one consistent state of the database.
 * Their files are opened first, so that a file removed later is still complete. Content of the bin is left out. The
 * product may keep running. Rejects on any read or write error; then the output is unusable. Closes `sink`.
 */
export async function writeArchive(source: ArchiveSource, sink: Writable, now: Date): Promise<Manifest> {
  const zip = startZip(sink);
  const files: { key: string; content: Readable }[] = [];
  const missing: string[] = [];
  try {
    const { schema, tables } = await withConsistentRead(source, async (tx) => {
      const schema = (await lastMigration(tx)) ?? '';
      if (!isKnownMigration(schema)) throw new NewerDatabase(`The database is at ${schema || 'no version'}`);
      // A database before an upgrade may not have all tables.
      const existing = await tableNames(tx);
      // Both tables came with the same release.
      const hasBin = existing.includes('bin') && existing.includes('visit_snapshots');
      const bin = hasBin ? await keptOnlyByBin(tx, now) : new Set<string>();
      for (const media of (await listMedia(tx)).filter(({ id }) => !bin.has(id))) {
        const key = mediaKey(media);
        const content = await source.storage.read(key).catch((error: unknown) => {
          if (error instanceof FileMissing) return null;
          throw error;
        });
        if (content !== null) files.push({ key, content });
        // The bytes of a deleted file may be removed before its row.
        else if (media.deleted_at === null) missing.push(media.nome);
      }
      const tables: Record<string, number> = {};
      for (const table of ARCHIVED_TABLES.filter((name) => existing.includes(name)))
        tables[table] = await addTable(zip, { ...source, db: tx }, table);
      return { schema, tables };
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

/** Returns the number of rows. */
async function addTable(zip: Zip, source: Database, table: string): Promise<number> {
  let count = 0;
  const lines = async function* () {
    for await (const rows of readTablePages(source, table)) {
      count += rows.length;
      yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    }
  };
  await zip.add(`tables/${table}.jsonl`, lines());
  return count;
}

type Zip = ReturnType<typeof startZip>;

/** Unix mode of an entry: only its owner can read the unpacked file. */
const MODE = 0o100_600;

function startZip(sink: Writable) {
  const zip = new ZipFile();
  const entries: Manifest['entries'] = {};
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  zip.on('error', failed.reject);
  const written = pipeline(zip.outputStream, sink);
  written.catch(failed.reject);

  return {
    entries,
    /** Adds an entry; resolves after all of it was read. */
    async add(name: string, content: Parameters<typeof hashed>[0], options = { compress: true }) {
      const { stream, found } = hashed(content);
      const read = finished(stream);
      zip.addReadStream(stream, name, { ...options, mode: MODE });
      await Promise.race([read, failed.promise]).finally(() => stream.destroy());
      entries[name] = found();
    },
    /** Adds the manifest; resolves after everything is written. */
    async end(manifest: Manifest) {
      zip.addBuffer(Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), MANIFEST, { mode: MODE });
      zip.end();
      await Promise.race([written, failed.promise]);
    },
  };
}
