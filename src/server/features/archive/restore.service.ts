import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { LIVE_TOPICS } from '../../../contract/admin/dashboard.ts';
import { ARCHIVE, DISK_SPACE, UPLOADS } from '../../../domain/limits.ts';
import { isNewInstall, userExists } from '../../auth/auth.repo.ts';
import { decryptOrNull, encrypt, loadSecret } from '../../auth/secrets.ts';
import { securityEvent } from '../../auth/security-events.ts';
import { isDiskFull } from '../../db/errors.ts';
import { openUnmigrated } from '../../db/open.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { insertEvents } from '../../event-log/event-log.repo.ts';
import { publishChange } from '../../live/bus.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { emptyTables, insertRows, lockUsers, readTablePages } from './archive.repo.ts';
import type { Manifest } from './manifest.ts';
import { tablePath, unpackedRows } from './read.ts';
import { type ArchiveFault, ArchiveRejected } from './refused-archive.ts';
import { restoreArchive } from './restore.ts';
import { ARCHIVED_TABLES, SEALED_COLUMNS } from './rules.ts';
import { readUploadTicket, uploadTicket } from './ticket.ts';

type InUse = Refusal<'REGISTRATION_CLOSED' | 'INSTALL_IN_USE'>;
type RestoreRequest = { headers: Headers; address: string };

/** Disk space per received byte: the archive as received, decrypted, and unpacked. */
const COPIES = 3;

async function refuseInUse(db: Db): Promise<InUse | null> {
  if (await isNewInstall(db)) return null;
  return refuse((await userExists(db)) ? 'REGISTRATION_CLOSED' : 'INSTALL_IN_USE');
}

/**
 * Announces an archive for an install without data; requires the permission to register. Returns the ticket for its
 * upload and restore.
 */
export async function beginRestore(
  deps: Deps,
  { size, setup_code }: { size: number; setup_code?: string | undefined },
  { headers, address }: RestoreRequest,
): Promise<
  | { id: string }
  | InUse
  | Refusal<'SETUP_CODE_WRONG' | 'TOO_MANY_ATTEMPTS' | 'ARCHIVE_TOO_LARGE' | 'STORAGE_FULL'>
> {
  const refused =
    (await refuseInUse(deps.db)) ?? (await deps.auth.refuseSetUp({ headers, address, setup_code }));
  if (refused !== null) return refused;
  if (size > ARCHIVE.maxBytes) return refuse('ARCHIVE_TOO_LARGE');
  if ((await deps.uploads.folder.freeBytes()) < DISK_SPACE.files + COPIES * size)
    return refuse('STORAGE_FULL');
  const ends = new Date(deps.now().getTime() + UPLOADS.lifeMs);
  return { id: uploadTicket(deps.secret, `archive-${randomUUID()}`, ends) };
}

/**
 * Stores the bytes of an announced archive completely or not at all, where every node finds them. Unused archives are
 * swept after a day.
 */
export async function receiveArchive(
  deps: Deps,
  id: string,
  content: Readable,
): Promise<object | InUse | Refusal<'ARCHIVE_GONE' | 'ARCHIVE_TOO_LARGE' | 'STORAGE_FULL'>> {
  const key = readUploadTicket(deps.secret, id, deps.now());
  const refused = key === null ? refuse('ARCHIVE_GONE') : await refuseInUse(deps.db);
  if (key === null || refused !== null) return refused ?? {};
  try {
    await deps.storage.put(key, Readable.from(subRange(content), { objectMode: false }));
    return {};
  } catch (error) {
    if (error instanceof TooLarge) return refuse('ARCHIVE_TOO_LARGE');
    if (isDiskFull(error)) return refuse('STORAGE_FULL');
    throw error;
  }
}

class TooLarge extends Error {}

async function* subRange(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of content) {
    size += chunk.length;
    if (size > ARCHIVE.maxBytes) throw new TooLarge();
    yield chunk;
  }
}

type Restored = { created_at: string; files: number; missing: string[] };
type NotRestored = Refusal<ArchiveFault | 'ARCHIVE_GONE' | 'RESTORE_BUSY' | 'STORAGE_FULL'>;

/** Storages with a restore under way: two would unpack into the same folder. */
const underWay = new WeakSet<object>();

/**
 * Restores an archive into this install, which has no data, completely or not at all. First restores it to a temporary
 * install, which checks everything. Then copies its files and, in one transaction, its rows. This install's secrets
 * stay.
 */
export async function runRestore(
  deps: Deps,
  { id, passphrase }: { id: string; passphrase: string },
): Promise<Restored | InUse | NotRestored> {
  const key = readUploadTicket(deps.secret, id, deps.now());
  const refused = await refuseInUse(deps.db);
  if (refused !== null) return refused;
  if (key === null) return refuse('ARCHIVE_GONE');
  if (underWay.has(deps.storage)) return refuse('RESTORE_BUSY');
  underWay.add(deps.storage);
  const result = await restoreFrom(deps, key, passphrase).finally(() => underWay.delete(deps.storage));
  // After a wrong passphrase the upload stays, so that another attempt needs no new transfer.
  const isOpenable = !isRefused(result) || !['ARCHIVE_LOCKED', 'PASSPHRASE_WRONG'].includes(result.refused);
  if (isOpenable) await deps.storage.remove(key);
  if (!isRefused(result)) publishChange(deps, ...LIVE_TOPICS);
  return result;
}

async function restoreFrom(
  deps: Deps,
  key: string,
  passphrase: string,
): Promise<Restored | InUse | NotRestored> {
  const aside = asideOf(deps.env);
  const clear = () => rm(aside.DATA_DIR, { recursive: true, force: true });
  try {
    await clear();
    const manifest: Manifest = await deps.storage.withLocalPath(key, (path) =>
      restoreArchive(path, aside, deps.now(), passphrase),
    );
    await takeOver(deps, aside);
    return { created_at: manifest.created_at, files: manifest.counts.media, missing: manifest.missing };
  } catch (error) {
    if (error instanceof ArchiveRejected) return refuse(error.reason);
    if (error instanceof FileMissing) return refuse('ARCHIVE_GONE');
    if (error instanceof NoLongerEmpty) return error.refusal;
    if (isDiskFull(error)) return refuse('STORAGE_FULL');
    throw error;
  } finally {
    await clear();
  }
}

const asideOf = ({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): Aside => ({
  DATA_DIR: join(DATA_DIR, 'unpacking'),
  DATABASE_URL: undefined,
});

/**
 * Removes the unpacked files of a crashed restore at startup. With PostgreSQL another process may be unpacking there,
 * so the next restore removes them.
 */
export async function removeLeftovers(env: Pick<Env, 'DATA_DIR' | 'DATABASE_URL'>): Promise<void> {
  if (env.DATABASE_URL === undefined) await rm(asideOf(env).DATA_DIR, { recursive: true, force: true });
}

/** Thrown if someone registered or prepared something during the restore. */
class NoLongerEmpty extends Error {
  readonly refusal: InUse;
  constructor(refusal: InUse) {
    super(refusal.refused);
    this.refusal = refusal;
  }
}

type Aside = { DATA_DIR: string; DATABASE_URL: undefined };

/** Copies files before rows: a crash in between leaves unreferenced files, which are swept. */
async function takeOver(deps: Deps, aside: Aside): Promise<void> {
  await writeRows(aside, deps.secret);
  const media = join(aside.DATA_DIR, 'media');
  const keys: string[] = [];
  try {
    for (const key of await readdir(media)) {
      keys.push(key);
      await deps.storage.put(key, createReadStream(join(media, key)));
      await rm(join(media, key));
    }
    await deps.inTransaction((tx) => fill(tx, deps, aside));
  } catch (error) {
    for (const key of keys) await deps.storage.remove(key);
    throw error;
  }
}

/** Writes the migrated rows to files, because the transaction that inserts them must not query another database. */
async function writeRows(aside: Aside, ownKey: Buffer): Promise<void> {
  const folder = aside.DATA_DIR;
  const sourceKey = await loadSecret(folder, 'encryption');
  const database = await openUnmigrated(aside);
  await mkdir(join(folder, 'tables'));
  try {
    for (const table of TAKEN_OVER)
      await writeFile(
        tablePath(folder, table),
        Readable.from(linesOf(database.db, table, [sourceKey, ownKey])),
      );
  } finally {
    await database.close();
  }
}

/** Tables signed with the other install's secret, so invalid here. */
const SIGNED = new Set(['session', 'verification']);
const TAKEN_OVER = ARCHIVED_TABLES.filter((table) => !SIGNED.has(table));

async function fill(tx: Db, { env, now }: Pick<Deps, 'env' | 'now'>, aside: Aside): Promise<void> {
  await lockUsers(tx, env.DATABASE_URL === undefined ? 'sqlite' : 'postgres');
  const inUse = await refuseInUse(tx);
  if (inUse !== null) throw new NoLongerEmpty(inUse);
  await emptyTables(tx, TAKEN_OVER);
  for (const table of TAKEN_OVER) await insertRows(tx, table, unpackedRows(aside.DATA_DIR, table));
  await insertEvents(tx, [{ ...securityEvent('archive_restored', {}), user_agent: null }], now());
}

/** Yields a table's rows as JSON lines, with encrypted columns encrypted for this install. */
async function* linesOf(
  db: Db,
  table: string,
  [sourceKey, ownKey]: [Buffer, Buffer],
): AsyncGenerator<string> {
  const columns = Object.entries(SEALED_COLUMNS).find(([name]) => name === table)?.[1] ?? [];
  for await (const page of readTablePages({ db, kind: 'sqlite' }, table))
    for (const row of page) {
      const sealed = columns.map((column) => [column, reencrypt(row[column], sourceKey, ownKey)]);
      yield `${JSON.stringify({ ...row, ...Object.fromEntries(sealed) })}\n`;
    }
}

/** Returns null if the value can't be decrypted. */
function reencrypt(sealed: unknown, sourceKey: Buffer, ownKey: Buffer): string | null {
  const text = typeof sealed === 'string' ? decryptOrNull(sourceKey, sealed) : null;
  return text === null ? null : encrypt(ownKey, text);
}
