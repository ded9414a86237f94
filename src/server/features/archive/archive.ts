import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { z } from 'zod';
import { LIVE_TOPICS } from '../../../contract/admin/dashboard.ts';
import { isShortPassphrase } from '../../../domain/access.ts';
import { ARCHIVE, DISK_SPACE, PASSPHRASE_LENGTH, UPLOADS } from '../../../domain/limits.ts';
import { type AdminCtx, adminCalls, isStillAdmin, requireAdmin } from '../../auth/actor.ts';
import { isNewInstall, userExists } from '../../auth/auth.repo.ts';
import { decryptOrNull, encrypt, loadSecret } from '../../auth/secrets.ts';
import { securityEvent } from '../../auth/security-events.ts';
import { isDiskFull } from '../../db/errors.ts';
import { openUnmigrated } from '../../db/open.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Env } from '../../env.ts';
import { insertEvents } from '../../event-log/events.repo.ts';
import type { Endpoint } from '../../http/api.ts';
import { calls, os } from '../../http/calls.ts';
import { ClientDisconnected, errorResponse } from '../../http/refusals.ts';
import { guarded, type Handler, type RequestContext } from '../../http/request-context.ts';
import { fileHeaders, sendDownload } from '../../http/send.ts';
import { publishChange } from '../../live/bus.ts';
import type { Transfers } from '../../live/transfers.ts';
import { isRefused, type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';
import { countArchived, emptyTables, insertRows, lockUsers, readTablePages } from './archive.repo.ts';
import { tablePath, unpackedRows } from './read.ts';
import { restoreArchive } from './restore.ts';
import { ARCHIVED_TABLES, ArchiveRejected, SEALED_COLUMNS } from './rules.ts';
import { readSecrets, writeSealed } from './write.ts';

export const archiveCalls = calls(adminCalls.archive, {
  /** Returns the size of an archive and the time of the last download. */
  look: ({ db }) => countArchived(db),
  prepare: prepareDownload,
});

/** Available before the first registration; the service checks the permission. */
export const restoreCalls = calls(os.admin.restore, { begin: beginRestore, carryOut: runRestore });

/** The requests that are not JSON: an archive's download and its upload. */
export function archiveEndpoints(transfers: Transfers): Endpoint[] {
  return [
    {
      method: 'GET',
      path: '/admin/archive/{ticket}',
      summary:
        'All data as a ZIP file, encrypted in the age format, for a minute after `POST /admin/archive`',
      responseType: 'application/octet-stream',
      refusals: ['SIGN_IN_REQUIRED', 'ARCHIVE_LINK_OVER'],
      answer: downloadHandler(transfers),
    },
    {
      method: 'PUT',
      path: '/admin/restore/{id}',
      body: 'own',
      summary: 'The bytes of the archive of `POST /admin/restore`, before anybody has registered',
      status: 204,
      operation: { requestBody: { content: { 'application/octet-stream': {} } } },
      refusals: ['REGISTRATION_CLOSED', 'ARCHIVE_GONE', 'ARCHIVE_TOO_LARGE', 'STORAGE_FULL'],
      answer: uploadHandler(transfers),
    },
  ];
}

/** Tickets that the client carries between requests, encrypted with the install's key, so that any node can answer. */
const ticketSchema = z.strictObject({
  use: z.enum(['download', 'incoming']),
  ends: z.number(),
  /** The passphrase of a download; the storage key of an upload. */
  value: z.string(),
});
type Ticket = z.infer<typeof ticketSchema>;

/** Returns a ticket for one use. Only this install can read the value in it. */
export const createTicket = (secret: Buffer, use: Ticket['use'], value: string, ends: Date): string =>
  encrypt(secret, JSON.stringify({ use, ends: ends.getTime(), value } satisfies Ticket));

/** Returns the value in a ticket, or null if the ticket is invalid, expired or for another use. */
export function readTicket(secret: Buffer, use: Ticket['use'], ticket: string, now: Date): string | null {
  const text = decryptOrNull(secret, ticket);
  const { data } = ticketSchema.safeParse(text === null ? null : JSON.parse(text));
  return data !== undefined && data.use === use && data.ends > now.getTime() ? data.value : null;
}

/**
 * Returns a path that is valid for a minute. The browser downloads it without holding it in memory, but can't send a
 * passphrase there.
 */
function prepareDownload({ secret, now }: AdminCtx, { passphrase }: { passphrase: string }) {
  if (isShortPassphrase(passphrase)) return refuse('PASSPHRASE_SHORT');
  if ([...passphrase].length > PASSPHRASE_LENGTH.max) return refuse('PASSPHRASE_LONG');
  const ends = new Date(now().getTime() + ARCHIVE.downloadStartMs);
  return { path: `/api/admin/archive/${createTicket(secret, 'download', passphrase, ends)}` };
}

/** Concurrent downloads per process; each keeps every file open. */
const CONCURRENCY = 2;

function downloadHandler(transfers: Transfers): Handler {
  let underWay = 0;
  return guarded(requireAdmin, async (c, ctx, request) => {
    const passphrase = readTicket(ctx.secret, 'download', c.req.param('ticket') ?? '', ctx.now());
    if (passphrase === null) return errorResponse('ARCHIVE_LINK_OVER');
    if (c.req.method !== 'HEAD' && underWay >= CONCURRENCY) return errorResponse('UNAVAILABLE');
    const name = `sorpresa-${ctx.now().toISOString().slice(0, 10)}.zip.age`;
    return sendDownload(c, {
      headers: fileHeaders({ type: 'application/octet-stream', name }),
      open: () => {
        underWay += 1;
        return archiveStream(ctx, passphrase).catch((error: unknown) => {
          underWay -= 1;
          throw error;
        });
      },
      hold: (cut) => transfers.hold(cut, () => isStillAdmin(request)),
      failure: 'an archive broke off',
      onEnd(isComplete) {
        underWay -= 1;
        if (!isComplete) return;
        logDownload(ctx, request.user_agent).catch((error: unknown) => {
          const { request_id } = request;
          ctx.log.error({ request_id, err: error }, 'the event of a download could not be written');
        });
      },
    });
  });
}

/**
 * Streams the encrypted archive while it is written, at the reader's pace. Reads over a separate connection, so it
 * blocks no request. An error destroys the stream.
 */
async function archiveStream({ env, storage, now }: Deps, passphrase: string): Promise<Readable> {
  const secrets = await readSecrets(env);
  const database = await openUnmigrated(env);
  const out = new PassThrough();
  writeSealed({ ...database, storage, secrets }, out, { passphrase, now: now() })
    .catch((error: Error) => out.destroy(error))
    .finally(() => database.close());
  return out;
}

/** Logs that a copy of all data was downloaded, as a security event. */
async function logDownload(deps: Deps, user_agent: string): Promise<void> {
  const event = { ...securityEvent('archive_downloaded', {}), user_agent };
  await deps.inTransaction((tx) => insertEvents(tx, [event], deps.now()));
  publishChange(deps, 'logs');
}

type InUse = Refusal<'REGISTRATION_CLOSED' | 'INSTALL_IN_USE'>;

async function refuseInUse(db: Db): Promise<InUse | null> {
  if (await isNewInstall(db)) return null;
  return refuse((await userExists(db)) ? 'REGISTRATION_CLOSED' : 'INSTALL_IN_USE');
}

/** Disk space per received byte: the archive as received, decrypted, and unpacked. */
const COPIES = 3;

/**
 * Announces an archive for an install without data; requires the permission to register. Returns the ticket for its
 * upload and restore.
 */
async function beginRestore(
  deps: Deps,
  { size, setup_code }: { size: number; setup_code?: string | undefined },
  { headers, address }: RequestContext,
) {
  const refused =
    (await refuseInUse(deps.db)) ?? (await deps.auth.refuseSetUp({ headers, address, setup_code }));
  if (refused !== null) return refused;
  if (size > ARCHIVE.maxBytes) return refuse('ARCHIVE_TOO_LARGE');
  if ((await deps.uploads.folder.freeBytes()) < DISK_SPACE.files + COPIES * size)
    return refuse('STORAGE_FULL');
  const ends = new Date(deps.now().getTime() + UPLOADS.lifeMs);
  return { id: createTicket(deps.secret, 'incoming', `archive-${randomUUID()}`, ends) };
}

function uploadHandler(transfers: Transfers): Handler {
  return async (c) => {
    const { incoming, scope } = c.env;
    const { deps } = c.get('server');
    // An archive has no time limit.
    clearTimeout(scope.bodyTimer);
    const release = transfers.hold(() => incoming.destroy());
    const refused = await receiveArchive(deps, c.req.param('id') ?? '', incoming)
      .catch((error: unknown) => {
        throw incoming.complete ? error : new ClientDisconnected();
      })
      .finally(release);
    // A refused body may be unread, so the connection can't be reused.
    if (refused !== null) return errorResponse(refused.refused, { Connection: 'close' });
    return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
  };
}

/**
 * Stores the bytes of an announced archive completely or not at all, where every node finds them. Unused archives are
 * swept after a day.
 */
async function receiveArchive(deps: Deps, id: string, content: Readable): Promise<Refusal | null> {
  const key = readTicket(deps.secret, 'incoming', id, deps.now());
  if (key === null) return refuse('ARCHIVE_GONE');
  const refused = await refuseInUse(deps.db);
  if (refused !== null) return refused;
  let size = 0;
  const limited = async function* () {
    for await (const chunk of content as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > ARCHIVE.maxBytes) throw new Error('The archive is too large');
      yield chunk;
    }
  };
  try {
    await deps.storage.put(key, Readable.from(limited(), { objectMode: false }));
    return null;
  } catch (error) {
    if (size > ARCHIVE.maxBytes) return refuse('ARCHIVE_TOO_LARGE');
    if (isDiskFull(error)) return refuse('STORAGE_FULL');
    throw error;
  }
}

/** Storages with a restore under way: two would unpack into the same folder. */
const underWay = new WeakSet<object>();

/**
 * Restores an archive into this install, which has no data, completely or not at all. First restores it to a temporary
 * install, which checks everything. Then copies its files and, in one transaction, its rows. This install's secrets
 * stay.
 */
async function runRestore(deps: Deps, { id, passphrase }: { id: string; passphrase: string }) {
  const key = readTicket(deps.secret, 'incoming', id, deps.now());
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

async function restoreFrom(deps: Deps, key: string, passphrase: string) {
  const aside = asideOf(deps.env);
  const clear = () => rm(aside.DATA_DIR, { recursive: true, force: true });
  try {
    await clear();
    const { created_at, counts, missing } = await deps.storage.withLocalPath(key, (path) =>
      restoreArchive(path, aside, deps.now(), passphrase),
    );
    await takeOver(deps, aside);
    return { created_at, files: counts.media, missing };
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

type Aside = { DATA_DIR: string; DATABASE_URL: undefined };

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

/** Tables signed with the other install's secret, so invalid here. */
const SIGNED = new Set(['session', 'verification']);
const TAKEN_OVER = ARCHIVED_TABLES.filter((table) => !SIGNED.has(table));

/**
 * Writes the migrated rows to files, with encrypted columns encrypted for this install. The transaction that inserts them
 * must not query another database.
 */
async function writeRows(aside: Aside, ownKey: Buffer): Promise<void> {
  const sourceKey = await loadSecret(aside.DATA_DIR, 'encryption');
  const database = await openUnmigrated(aside);
  // Null if the value can't be decrypted.
  const reencrypt = (sealed: unknown) => {
    const text = typeof sealed === 'string' ? decryptOrNull(sourceKey, sealed) : null;
    return text === null ? null : encrypt(ownKey, text);
  };
  const linesOf = async function* (table: string) {
    const columns = Object.entries(SEALED_COLUMNS).find(([name]) => name === table)?.[1] ?? [];
    for await (const page of readTablePages(database, table))
      for (const row of page) {
        for (const column of columns) row[column] = reencrypt(row[column]);
        yield `${JSON.stringify(row)}\n`;
      }
  };
  await mkdir(join(aside.DATA_DIR, 'tables'));
  try {
    for (const table of TAKEN_OVER)
      await writeFile(tablePath(aside.DATA_DIR, table), Readable.from(linesOf(table)));
  } finally {
    await database.close();
  }
}

async function fill(tx: Db, { env, now }: Deps, aside: Aside): Promise<void> {
  await lockUsers(tx, env.DATABASE_URL === undefined ? 'sqlite' : 'postgres');
  const inUse = await refuseInUse(tx);
  if (inUse !== null) throw new NoLongerEmpty(inUse);
  await emptyTables(tx, TAKEN_OVER);
  for (const table of TAKEN_OVER) await insertRows(tx, table, unpackedRows(aside.DATA_DIR, table));
  await insertEvents(tx, [{ ...securityEvent('archive_restored', {}), user_agent: null }], now());
}
