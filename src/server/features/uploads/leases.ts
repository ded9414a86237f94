import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locker, RequestRelease } from '@tus/server';
import { HOUR_MS } from '../../../domain/limits.ts';
import type { Deps } from '../../deps.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { startInterval } from '../../work/timers.ts';

/** Lease time in ms; a killed node blocks others for this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 1_000;
/** Time in ms before the expiry at which a holder stops that must not go on without a lease. */
const SAFETY_MARGIN_MS = 2_000;
/** Poll interval in ms for a lease of another node. */
const POLL_MS = 100;
/** Poll interval in ms for the progress of another node. */
const PROGRESS_POLL_MS = 250;
/** Timeout in ms of a requested release, longer than the lease of a dead node. */
const RELEASE_TIMEOUT_MS = LEASE_MS + 5_000;
/** Timeout in ms for this node's previous request to end. */
const PREVIOUS_REQUEST_MS = 10_000;

/** Another node holds the lease now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Another node requests the lease. */
export class LeaseRequested extends Error {
  override name = 'LeaseRequested';
}

/** Another holder keeps the upload. The tus library answers with 423, like the protocol's reference server. */
export class UploadLocked extends Error {
  override name = 'UploadLocked';
  readonly status_code = 423;
  readonly body = 'UPLOAD_LOCKED';
}

/** Leases by which nodes agree on who works on an upload. */
export type Leases = ReturnType<typeof sharedLeases>;

export type Lease = {
  /** Aborted with `LeaseLost` or `LeaseRequested`. */
  signal: AbortSignal;
  reportProgress(share: number): void;
  /** Renews the lease now. From then on it is aborted unless renewed in time. Rejects if another node holds it. */
  requireRenewal(): Promise<void>;
  release(): Promise<void>;
};

/** For a single process, which excludes itself by queues. */
export const NO_LEASES: Leases = {
  acquire: async () => ({
    signal: new AbortController().signal,
    reportProgress: () => {},
    requireRenewal: async () => {},
    release: async () => {},
  }),
  requestRelease: async () => false,
  held: async () => [],
  sweep: async () => {},
};

export type LeaseDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'log'>;

/** Leases in the database, by the product's clock. Holders renew every second, and learn then of a requested release. */
export function sharedLeases(deps: LeaseDeps) {
  const { db, inTransaction, now } = deps;
  return {
    /**
     * Acquires a free or expired lease. Returns null if another node holds it: of concurrent callers one succeeds.
     * @param insists aborts the lease unless renewed in time, as after `requireRenewal`
     */
    async acquire(key: string, insists = false): Promise<Lease | null> {
      const holder = randomUUID();
      const acquired = await inTransaction((tx) => {
        const row = { holder, until: endOf(now()), asked: false, progress: null };
        return tx
          .insertInto('upload_leases')
          .values({ key, ...row })
          .onConflict((conflict) =>
            conflict.column('key').doUpdateSet(row).where('upload_leases.until', '<=', now().toISOString()),
          )
          .returning('key')
          .executeTakeFirst();
      });
      return acquired === undefined ? null : keep(deps, { key, holder, insists });
    },
    /** Requests a release from the holder. Returns false if the lease is free. */
    async requestRelease(key: string): Promise<boolean> {
      const requested = await inTransaction((tx) =>
        tx
          .updateTable('upload_leases')
          .set({ asked: true })
          .where('key', '=', key)
          .where('until', '>', now().toISOString())
          .returning('key')
          .executeTakeFirst(),
      );
      return requested !== undefined;
    },
    /** Leases of all nodes, including this one, and the progress of their work. Empty for a single process. */
    held: (): Promise<{ key: string; progress: number | null }[]> =>
      db
        .selectFrom('upload_leases')
        .select(['key', 'progress'])
        .where('until', '>', now().toISOString())
        .execute(),
    /** Deletes leases that dead nodes left behind. */
    async sweep(): Promise<void> {
      // After an hour only: a lease that couldn't be renewed for a while may still belong to its holder.
      const before = new Date(now().getTime() - HOUR_MS).toISOString();
      await inTransaction((tx) => tx.deleteFrom('upload_leases').where('until', '<', before).execute());
    },
  };
}

const endOf = (now: Date) => new Date(now.getTime() + LEASE_MS).toISOString();

type LeaseState = { key: string; holder: string; insists: boolean };

function keep({ inTransaction, now, log }: LeaseDeps, { key, holder, insists }: LeaseState): Lease {
  const controller = new AbortController();
  let progress: number | null = null;
  let isRequired = insists;
  let fuse: NodeJS.Timeout | undefined;
  const rewind = () => {
    clearTimeout(fuse);
    fuse = setTimeout(
      () => isRequired && controller.abort(new LeaseLost()),
      LEASE_MS - SAFETY_MARGIN_MS,
    ).unref();
  };
  rewind();
  /** Renews even an expired lease, unless another holder took it. */
  async function renew(): Promise<void> {
    const renewed = await inTransaction((tx) =>
      tx
        .updateTable('upload_leases')
        .set({ until: endOf(now()), progress })
        .where('key', '=', key)
        .where('holder', '=', holder)
        .returning('asked')
        .executeTakeFirst(),
    );
    if (renewed === undefined) controller.abort(new LeaseLost());
    else rewind();
    if (renewed?.asked) controller.abort(new LeaseRequested());
  }
  const renewals = startInterval(RENEW_MS, renew, (err) =>
    log.debug({ err, lease: key }, 'a lease was not renewed'),
  );
  return {
    signal: controller.signal,
    reportProgress(share) {
      progress = share;
    },
    async requireRenewal() {
      await renew();
      controller.signal.throwIfAborted();
      isRequired = true;
    },
    async release() {
      await renewals.stop();
      clearTimeout(fuse);
      // Otherwise it expires.
      await inTransaction((tx) =>
        tx.deleteFrom('upload_leases').where('key', '=', key).where('holder', '=', holder).execute(),
      ).catch((err: unknown) => log.debug({ err, lease: key }, 'a lease was not given back'));
    },
  };
}

/** Makes the holder stop. Rejects with `UploadLocked` after a timeout. */
export async function evict(leases: Leases, key: string): Promise<void> {
  const until = performance.now() + RELEASE_TIMEOUT_MS;
  while (await leases.requestRelease(key)) {
    if (performance.now() > until) throw new UploadLocked();
    await delay(POLL_MS);
  }
}

/**
 * Runs `work` while no other node does. Waits for another node and reports its progress. If the lease is lost, runs again after it.
 * Rejects with `LeaseRequested` if that ended the work.
 * @param work receives `insist`; after calling it, the work is stopped rather than done by two nodes at once
 */
export async function runWithLease<T>(
  leases: Leases,
  key: string,
  control: TaskControl,
  work: (control: TaskControl, insist: () => Promise<void>) => Promise<T>,
): Promise<T> {
  for (;;) {
    const lease = await acquireAndFollow(leases, key, control);
    const signal = AbortSignal.any([control.signal, lease.signal]);
    const progress = (share: number) => {
      lease.reportProgress(share);
      control.progress(share);
    };
    try {
      return await work({ ...control, signal, progress }, lease.requireRenewal);
    } catch (error) {
      const failure: unknown = lease.signal.aborted ? lease.signal.reason : error;
      if (!(failure instanceof LeaseLost)) throw failure;
    } finally {
      await lease.release();
    }
  }
}

async function acquireAndFollow(
  leases: Leases,
  key: string,
  { signal, progress }: TaskControl,
): Promise<Lease> {
  for (;;) {
    signal.throwIfAborted();
    const lease = await leases.acquire(key);
    if (lease !== null) return lease;
    const other = (await leases.held()).find((each) => each.key === key);
    if (other?.progress != null) progress(other.progress);
    await pause(PROGRESS_POLL_MS, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}

type Holder = { requestRelease: RequestRelease; released: Promise<void>; resolveReleased: () => void };

/**
 * Admits one request per upload; the newest takes precedence. Each new request asks the holder once to release the upload, and waits:
 * after a lost connection the holder may wait for bytes that never come.
 * The library's own locker polls without a pause.
 * The lease `lock:<id>` excludes other nodes. If it is lost, the holder is asked to release.
 */
export function createLocker(leases: Leases): Locker {
  const holders = new Map<string, Holder>();

  async function acquireLocal(
    id: string,
    signal: AbortSignal,
    requestRelease: RequestRelease,
  ): Promise<void> {
    for (let holder = holders.get(id); holder !== undefined; holder = holders.get(id)) {
      await holder.requestRelease();
      await waitForRelease(holder.released, signal);
    }
    const { promise: released, resolve: resolveReleased } = Promise.withResolvers<void>();
    holders.set(id, { requestRelease, released, resolveReleased });
  }

  function leave(id: string): void {
    const holder = holders.get(id);
    holders.delete(id);
    holder?.resolveReleased();
  }

  return {
    newLock(id) {
      let lease: Lease | undefined;
      return {
        async lock(signal, requestRelease) {
          await acquireLocal(id, signal, requestRelease);
          try {
            lease = await acquireRequested(leases, `lock:${id}`, signal);
          } catch (error) {
            leave(id);
            throw error;
          }
          lease.signal.addEventListener('abort', () => void requestRelease(), { once: true });
        },
        async unlock() {
          await lease?.release();
          leave(id);
        },
      };
    },
  };
}

/** Requests the lease and returns it once it is released. Rejects with `UploadLocked` after a timeout or if aborted. */
async function acquireRequested(leases: Leases, key: string, signal: AbortSignal): Promise<Lease> {
  for (const until = performance.now() + RELEASE_TIMEOUT_MS; ; ) {
    if (signal.aborted || performance.now() > until) throw new UploadLocked();
    const lease = await leases.acquire(key, true);
    if (lease !== null) return lease;
    await leases.requestRelease(key);
    await pause(POLL_MS, signal);
  }
}

/** Rejects with `UploadLocked` after a timeout or if aborted. */
async function waitForRelease(released: Promise<void>, signal: AbortSignal): Promise<void> {
  const late = Promise.withResolvers<never>();
  const giveUp = () => late.reject(new UploadLocked());
  const timer = setTimeout(giveUp, PREVIOUS_REQUEST_MS);
  signal.addEventListener('abort', giveUp, { once: true });
  await Promise.race([released, late.promise]).finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', giveUp);
  });
}
