import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { SECRET_NAMES } from '../../auth/secrets.ts';
import { migrate } from '../../db/migrate.ts';
import { openUnmigrated } from '../../db/open.ts';
import { lockDataDir, RESTORE_MARKER } from '../../db/owner.ts';
import type { Db } from '../../db/tables.ts';
import type { Env } from '../../env.ts';
import { isStorageKey, syncDirectory } from '../../storage/disk.ts';
import { openStorage, type StorageEnv } from '../../storage/open.ts';
import type { Storage } from '../../storage/storage.ts';
import { dropMarkedTables, emptyTables, insertRows, markTables, tableNames } from './archive.repo.ts';
import { orDamaged, unpackArchive, unpackedRows } from './read.ts';
import { ARCHIVED_TABLES, ArchiveRejected, type Manifest, TABLES } from './rules.ts';
import { decryptFile, isEncryptedFile } from './sealed-file.ts';

type Target = Pick<Env, 'DATABASE_URL'> & StorageEnv;

/** Thrown if the target of a restore already holds data. */
export class TargetNotEmpty extends Error {
  override name = 'TargetNotEmpty';
  readonly where: 'DATA_DIR' | 'DATABASE_URL' | 'S3_BUCKET';
  readonly found: string[];
  constructor(where: TargetNotEmpty['where'], found: string[]) {
    super(`${where} holds ${found.join(', ')}`);
    this.where = where;
    this.found = found;
  }
}

/** Names that a new file system or the lock of the data folder may leave. */
const IGNORED_NAMES = new Set([
  'compiled',
  'lost+found',
  'sorpresa.lock',
  'sorpresa.lock-journal',
  'sorpresa.pid',
]);
/** Names that a restore creates in `DATA_DIR`, the database last. */
const MEDIA = 'media';
const FILES = [MEDIA, ...SECRET_NAMES.map((name) => `secret-${name}`)];
const DATABASE = 'sorpresa.db';
/** File in `restoring` with the id of the running restore. Its tables in PostgreSQL carry the same id. */
const SIGNATURE = 'signature';
/** Decrypted archive in the same folder, until it is unpacked. */
const UNSEALED = 'unsealed.zip';

/**
 * Restores an archive into an empty `DATA_DIR`, with an empty database and bucket if they are configured. Checks
 * everything in a separate folder first, so that a failure leaves nothing behind and a killed restore can be repeated.
 * Rejects with `TargetNotEmpty`, `ArchiveRejected` or `DataDirInUse`.
 */
export async function restoreArchive(
  file: string,
  target: Target,
  now: Date,
  passphrase?: string,
): Promise<Manifest> {
  const { DATA_DIR } = target;
  await mkdir(DATA_DIR, { recursive: true, mode: 0o700 });
  await requireEmpty(DATA_DIR);
  const unlock = lockDataDir(DATA_DIR, now);
  try {
    const bucket = target.S3_BUCKET === undefined ? null : await openStorage(target);
    await clear(target, bucket);
    if (bucket !== null) for await (const key of bucket.keys()) throw new TargetNotEmpty('S3_BUCKET', [key]);
    const signature = randomUUID();
    const stage = join(DATA_DIR, RESTORE_MARKER);
    await mkdir(stage, { mode: 0o700 });
    await writeFile(join(stage, SIGNATURE), signature, { flush: true });
    return await unseal(file, stage, passphrase)
      .then((plain) => restore(plain, target, bucket, signature))
      .catch(async (error: unknown) => {
        await clear(target, bucket);
        throw error;
      });
  } finally {
    unlock();
  }
}

/**
 * Decrypts to the staging folder, where rows and secrets are also unencrypted until they are moved. Returns the path of
 * the plain archive.
 */
async function unseal(file: string, stage: string, passphrase = ''): Promise<string> {
  if (!(await isEncryptedFile(file))) return file;
  if (passphrase === '') throw new ArchiveRejected('ARCHIVE_LOCKED', 'It wants its passphrase');
  const unsealed = join(stage, UNSEALED);
  const content = await decryptFile(file, passphrase);
  await pipeline(content, createWriteStream(unsealed, { flags: 'wx', mode: 0o600 }));
  return unsealed;
}

async function restore(
  file: string,
  { DATA_DIR, DATABASE_URL }: Target,
  bucket: Storage | null,
  signature: string,
): Promise<Manifest> {
  const stage = join(DATA_DIR, RESTORE_MARKER);
  const manifest = await unpackArchive(file, stage);
  await rm(join(stage, UNSEALED), { force: true });
  const name = (path: string) => rename(join(stage, path), join(DATA_DIR, path));
  // The files stay in the staging folder until the end: they list the keys to remove from the bucket after a failure.
  if (bucket !== null)
    for (const key of await readdir(join(stage, MEDIA)))
      await bucket.put(key, createReadStream(join(stage, MEDIA, key)));
  const staged = (await readdir(stage)).filter((path) => bucket === null || path !== MEDIA);
  const database = await openUnmigrated({ DATA_DIR: stage, DATABASE_URL });
  try {
    await database.db.transaction().execute(async (tx) => {
      await load(tx, manifest, stage);
      if (database.kind === 'postgres') await markTables(tx, signature);
      for (const path of FILES.filter((each) => staged.includes(each))) await name(path);
    });
  } finally {
    await database.close();
  }
  if (DATABASE_URL === undefined) await name(DATABASE);
  await syncDirectory(DATA_DIR);
  await removeStage(DATA_DIR);
  await syncDirectory(DATA_DIR);
  return manifest;
}

/** Creates the tables at the archive's schema, fills them, and runs the remaining migrations. */
async function load(tx: Db, { schema, counts }: Manifest, stage: string): Promise<void> {
  const found = (await tableNames(tx)).filter((table) => Object.hasOwn(TABLES, table));
  if (found.length > 0) throw new TargetNotEmpty('DATABASE_URL', found);
  await migrate(tx, schema);
  const tables = ARCHIVED_TABLES.filter((table) => Object.hasOwn(counts.tables, table));
  await emptyTables(tx, tables);
  for (const table of tables) await insertRows(tx, table, unpackedRows(stage, table)).catch(orDamaged);
  await migrate(tx);
}

async function requireEmpty(dataDir: string): Promise<void> {
  const found = (await readdir(dataDir)).filter((name) => !IGNORED_NAMES.has(name));
  const leftovers = found.includes(RESTORE_MARKER) ? found.filter(isRestored) : [];
  if (found.length > leftovers.length) throw new TargetNotEmpty('DATA_DIR', found);
}

const isRestored = (name: string) =>
  name === RESTORE_MARKER || FILES.includes(name) || name.startsWith(DATABASE);

/** Removes a restore's files from a target that was empty: the database first and the marker folder last. */
async function clear({ DATA_DIR, DATABASE_URL }: Target, bucket: Storage | null): Promise<void> {
  const signature = await readFile(join(DATA_DIR, RESTORE_MARKER, SIGNATURE), 'utf8').catch(() => null);
  if (signature !== null && DATABASE_URL !== undefined) {
    const { db, close } = await openUnmigrated({ DATA_DIR, DATABASE_URL });
    await dropMarkedTables(db, signature, Object.keys(TABLES)).finally(close);
  }
  const media = await readdir(join(DATA_DIR, RESTORE_MARKER, MEDIA)).catch(() => []);
  // A file that is being written there has no valid key yet.
  for (const key of media.filter(isStorageKey)) await bucket?.remove(key);
  const found = (await readdir(DATA_DIR)).filter((name) => isRestored(name) && name !== RESTORE_MARKER);
  for (const name of found.toSorted((a, b) => rank(a) - rank(b)))
    await rm(join(DATA_DIR, name), { recursive: true, force: true });
  await removeStage(DATA_DIR);
}

/** Removes the signature last: as long as other files remain, it identifies the owner of the tables. */
async function removeStage(dataDir: string): Promise<void> {
  const stage = join(dataDir, RESTORE_MARKER);
  const found = await readdir(stage).catch(() => []);
  for (const name of found.filter((each) => each !== SIGNATURE))
    await rm(join(stage, name), { recursive: true });
  await rm(stage, { recursive: true, force: true });
}

const rank = (name: string) => (name.startsWith(DATABASE) ? 0 : 1);
