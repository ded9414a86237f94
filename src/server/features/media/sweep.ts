import { DAY_MS, DISK_SPACE, HOUR_MS } from '../../../domain/limits.ts';
import { binShortened, diskFull } from '../../../texts/notifications.ts';
import { binnedMediaIds, forgetBinned, listBin, mediaIdsIn } from '../../bin/bin.repo.ts';
import type { Db } from '../../db/tables.ts';
import type { Deps } from '../../deps.ts';
import type { Reserve } from '../../storage/open.ts';
import { startInterval } from '../../work/timers.ts';
import { enqueueNotification } from '../notifications/notifications.repo.ts';
import { referencedMediaIds } from '../visit/media-access.ts';
import { companionsOf, findMedias, forgetMedia, listDeleted, mediaKey } from './media.ts';

/** Interval between two sweeps, in ms. */
const SWEEP_MS = HOUR_MS;
/** Age at which a file without a row is removed, in ms. Before that its row may still be written. */
const ORPHAN_AGE_MS = DAY_MS;

/**
 * Removes deleted files that no visit and no bin refers to, and files without a row for 24 hours. Deletes the row
 * first: a crash in between leaves an orphan for the next sweep, never a row without bytes.
 */
export async function sweepMedia(deps: Deps): Promise<void> {
  await sweepDeleted(deps);
  await sweepOrphans(deps);
}

/** Reads the files before their references: a file deleted in between is not in the list, and a restored one is not removed. */
export async function sweepDeleted(deps: Deps): Promise<void> {
  const deleted = await listDeleted(deps.db);
  if (deleted.length === 0) return;
  const binned = await idsInBin(deps.db);
  const referenced = await referencedIds(deps.db, deps.now());
  for (const media of deleted.filter(({ id }) => !referenced.has(id) && !binned.has(id))) {
    if (await deps.inTransaction((tx) => forgetMedia(tx, media))) await deps.storage.remove(mediaKey(media));
  }
}

/**
 * Removes files without a row. The database stores when each was first seen, because the storage has no ages and a
 * process may end within a day.
 */
async function sweepOrphans({ db, inTransaction, storage, now, log }: Deps): Promise<void> {
  const keys: string[] = [];
  for await (const key of storage.keys()) keys.push(key);
  const existing = new Set((await findMedias(db, keys.map(idOf))).map(({ id }) => id));
  const orphans = keys.filter((key) => !existing.has(idOf(key)));
  const seen = now();
  const before = new Date(seen.getTime() - ORPHAN_AGE_MS);
  const old = await inTransaction((tx) => noteOrphans(tx, orphans, { now: seen, before }));
  for (const key of old) {
    await storage.remove(key);
    log.info({ file: key }, 'removed a file that belongs to nothing');
  }
  if (old.length > 0) await inTransaction((tx) => forgetOrphans(tx, old));
}

const idOf = (key: string) => key.replace(/\..*$/, '');

/** Sweeps every hour. Returns a function that stops it, after a sweep in progress. */
export function startMediaSweeper(deps: Deps): () => Promise<void> {
  return startInterval(
    SWEEP_MS,
    () => sweepMedia(deps),
    (error) => deps.log.error({ err: error }, 'media sweep failed'),
  ).stop;
}

/**
 * Returns true if `bytes` are free on the disk. If not, deletes files of the bin first, provided that this frees
 * enough. Deletes nothing if files are not stored on this disk.
 */
export async function ensureFreeSpace(deps: Deps, bytes: number): Promise<boolean> {
  const { folder } = deps.uploads;
  const enough = async () => (await folder.freeBytes()) >= bytes;
  if (await enough()) return true;
  const binned = await findMedias(deps.db, [...(await keptOnlyByBin(deps.db, deps.now()))]);
  const freed = binned.reduce((sum, { size }) => sum + size, 0);
  if ((await folder.freeBytes()) + freed < bytes) return false;
  await purgeBinForSpace(deps, enough);
  return enough();
}

/** Deletes files of the bin early, oldest first, until `enough` returns true, and notifies the administrator. */
export async function purgeBinForSpace(deps: Deps, enough: () => Promise<boolean>): Promise<void> {
  if (!deps.storage.isOnDisk) return;
  const files = (await listBin(deps.db)).filter((row) => mediaIdsIn(row).length > 0).toReversed();
  let deletedCount = 0;
  for (const { id } of files) {
    if (await enough()) break;
    await deps.inTransaction((tx) => forgetBinned(tx, [id]));
    await sweepDeleted(deps);
    deletedCount += 1;
  }
  if (deletedCount === 0) return;
  const message = { type: 'error', success: false, error_message: binShortened(deletedCount) } as const;
  await deps.inTransaction((tx) => enqueueNotification(tx, message, deps.now()));
}

/** Returns the ids of files that resumable visits and keepsakes refer to, with their companions. */
export const referencedIds = async (db: Db, now: Date) => withCompanions(await referencedMediaIds(db, now));

/** Returns the ids of files in the bin, with their companions. */
export const idsInBin = async (db: Db) => withCompanions(await binnedMediaIds(db));

/** Returns the ids of files that only the bin refers to. */
export async function keptOnlyByBin(db: Db, now: Date): Promise<ReadonlySet<string>> {
  const referenced = await referencedIds(db, now);
  return new Set([...(await idsInBin(db))].filter((id) => !referenced.has(id)));
}

const withCompanions = (ids: ReadonlySet<string>) => new Set([...ids, ...[...ids].flatMap(companionsOf)]);

/** Maximum values per statement, for SQLite. */
const BATCH_SIZE = 500;

/**
 * Records the stored files without a row; forgets those that have one again or were removed.
 * @returns keys without a row since `before`
 */
export async function noteOrphans(
  tx: Db,
  keys: readonly string[],
  { now, before }: { now: Date; before: Date },
): Promise<string[]> {
  const recorded = await tx.selectFrom('media_orphans').selectAll().execute();
  const lost = new Set(keys);
  await forgetOrphans(
    tx,
    recorded.flatMap(({ key }) => (lost.has(key) ? [] : [key])),
  );
  for (const batch of inBatches(keys))
    await tx
      .insertInto('media_orphans')
      .values(batch.map((key) => ({ key, seen_at: now.toISOString() })))
      .onConflict((conflict) => conflict.column('key').doNothing())
      .execute();
  return recorded.flatMap(({ key, seen_at }) =>
    lost.has(key) && seen_at <= before.toISOString() ? [key] : [],
  );
}

export async function forgetOrphans(tx: Db, keys: readonly string[]): Promise<void> {
  for (const batch of inBatches(keys))
    await tx.deleteFrom('media_orphans').where('key', 'in', batch).execute();
}

function* inBatches(keys: readonly string[]): Generator<readonly string[]> {
  for (let n = 0; n < keys.length; n += BATCH_SIZE) yield keys.slice(n, n + BATCH_SIZE);
}

/** Interval between two checks of the reserve, in ms. */
const RESERVE_MS = 60_000;

/**
 * Returns a check that creates the reserve if there is space, and notifies the administrator once each time there is
 * not.
 * @param makeRoom frees space that may be freed first
 */
export function createReserveJob(
  deps: Pick<Deps, 'inTransaction' | 'now' | 'log'>,
  reserve: Reserve,
  makeRoom: () => Promise<void>,
) {
  let notified = false;
  return async function check(): Promise<void> {
    await makeRoom();
    if (await reserve.make()) {
      if (notified) deps.log.info('there is room on the disk again');
      notified = false;
      return;
    }
    if (notified) return;
    deps.log.error('there is no room on the disk for a reserve: nothing can be uploaded until there is');
    await deps.inTransaction((tx) =>
      enqueueNotification(tx, { type: 'error', success: false, error_message: diskFull }, deps.now()),
    );
    notified = true;
  };
}

/** Checks every minute, and after the reserve was released. Returns a function that stops it, after a check in progress. */
export function startReserveJob(deps: Deps, reserve: Reserve): () => Promise<void> {
  const hasRoom = async () =>
    (await reserve.make()) && (await deps.uploads.folder.freeBytes()) >= DISK_SPACE.low;
  const check = createReserveJob(deps, reserve, () => purgeBinForSpace(deps, hasRoom));
  const interval = startInterval(RESERVE_MS, check, (error) =>
    deps.log.error({ err: error }, 'the reserve could not be kept'),
  );
  interval.now();
  reserve.onRelease(() => {
    deps.log.error('the disk was full: the reserve was let go');
    interval.now();
  });
  return interval.stop;
}
