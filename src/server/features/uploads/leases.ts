import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS } from '../../../domain/time.ts';
import type { Deps } from '../../deps.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { startInterval } from '../../work/every.ts';
import {
  acquireLease,
  deleteExpiredLeases,
  type HeldLease,
  heldLeases,
  releaseLease,
  renewLease,
  requestRelease,
} from './leases.repo.ts';

/** Lease time in ms; a killed node blocks others for this long. */
const LEASE_MS = 10_000;
const RENEW_MS = 1_000;
/** Time in ms before the expiry at which a holder stops that must not go on without a lease. */
const SPARE_MS = 2_000;
/** Poll interval in ms for a lease of another node. */
const LOOK_MS = 100;
/** Timeout in ms of a requested release, longer than the lease of a dead node. */
const PATIENCE_MS = LEASE_MS + 5_000;

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

export type Lease = {
  /** Aborted with `LeaseLost` or `LeaseRequested`. */
  signal: AbortSignal;
  reportProgress(progress: number): void;
  /** Renews the lease now. From then on it is aborted unless renewed in time. Rejects if another node holds it. */
  requireRenewal(): Promise<void>;
  release(): Promise<void>;
};

/** Leases by which nodes agree on who works on an upload. */
export type Leases = {
  /**
   * Returns null if another node holds the lease.
   * @param insists aborts the lease unless renewed in time, as after `requireRenewal`
   */
  take(key: string, insists?: boolean): Promise<Lease | null>;
  /** Requests a release from the holder. Returns false if the lease is free. */
  ask(key: string): Promise<boolean>;
  /** Leases of all nodes, including this one. Empty for a single process. */
  held(): Promise<HeldLease[]>;
  /** Deletes leases that dead nodes left behind. */
  sweep(): Promise<void>;
};

/** For a single process, which excludes itself by queues. */
export const NO_LEASES: Leases = {
  take: async () => ({
    signal: new AbortController().signal,
    reportProgress: () => {},
    requireRenewal: async () => {},
    release: async () => {},
  }),
  ask: async () => false,
  held: async () => [],
  sweep: async () => {},
};

export type LeaseDeps = Pick<Deps, 'db' | 'inTransaction' | 'now' | 'log'>;

/** Leases in the database, by the product's clock. Holders renew every second, and learn then of a requested release. */
export function sharedLeases(deps: LeaseDeps): Leases {
  const { db, inTransaction, now } = deps;
  return {
    async take(key, insists = false) {
      const holder = randomUUID();
      const taken = await inTransaction((tx) =>
        acquireLease(tx, { key, holder, until: endOf(now()) }, now()),
      );
      return taken ? keep(deps, { key, holder, insists }) : null;
    },
    ask: (key) => inTransaction((tx) => requestRelease(tx, key, now())),
    held: () => heldLeases(db, now()),
    // After an hour only: a lease that couldn't be renewed for a while may still belong to its holder.
    sweep: () => inTransaction((tx) => deleteExpiredLeases(tx, new Date(now().getTime() - HOUR_MS))),
  };
}

const endOf = (now: Date) => new Date(now.getTime() + LEASE_MS);

type LeaseOptions = { key: string; holder: string; insists: boolean };

function keep({ inTransaction, now, log }: LeaseDeps, { key, holder, ...how }: LeaseOptions): Lease {
  const leaving = new AbortController();
  let progress: number | null = null;
  let { insists } = how;
  let fuse: NodeJS.Timeout | undefined;
  const rewind = () => {
    clearTimeout(fuse);
    fuse = setTimeout(() => insists && leaving.abort(new LeaseLost()), LEASE_MS - SPARE_MS).unref();
  };
  rewind();
  async function renew(): Promise<void> {
    const renewed = await inTransaction((tx) =>
      renewLease(tx, { key, holder, until: endOf(now()), progress }),
    );
    if (renewed === undefined) leaving.abort(new LeaseLost());
    else rewind();
    if (renewed?.asked) leaving.abort(new LeaseRequested());
  }
  const renewals = startInterval(RENEW_MS, renew, (err) =>
    log.debug({ err, lease: key }, 'a lease was not renewed'),
  );
  return {
    signal: leaving.signal,
    reportProgress(share) {
      progress = share;
    },
    async requireRenewal() {
      await renew();
      leaving.signal.throwIfAborted();
      insists = true;
    },
    async release() {
      await renewals.stop();
      clearTimeout(fuse);
      // Otherwise it expires.
      await inTransaction((tx) => releaseLease(tx, { key, holder })).catch((err: unknown) =>
        log.debug({ err, lease: key }, 'a lease was not given back'),
      );
    },
  };
}

/** Requests the lease and returns it once it is released. Rejects with `UploadLocked` after a timeout or if aborted. */
export async function acquireWithin(leases: Leases, key: string, signal: AbortSignal): Promise<Lease> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    if (signal.aborted || performance.now() > until) throw new UploadLocked();
    const lease = await leases.take(key, true);
    if (lease !== null) return lease;
    await leases.ask(key);
    await pause(LOOK_MS, signal);
  }
}

/** Makes the holder stop. Rejects with `UploadLocked` after a timeout. */
export async function evict(leases: Leases, key: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (await leases.ask(key)) {
    if (performance.now() > until) throw new UploadLocked();
    await delay(LOOK_MS);
  }
}

/** Poll interval in ms for the progress of another node. */
const FOLLOW_MS = 250;

type LeasedWork<T> = (course: TaskControl, insist: () => Promise<void>) => Promise<T>;

/**
 * Runs `work` while no other node does. Waits for another node and reports its progress. If the lease is lost, runs again after it.
 * Rejects with `LeaseRequested` if that ended the work.
 * @param work receives `insist`; after calling it, the work is stopped rather than done by two nodes at once
 */
export async function runWithLease<T>(
  leases: Leases,
  key: string,
  course: TaskControl,
  work: LeasedWork<T>,
): Promise<T> {
  for (;;) {
    const lease = await waited(leases, key, course);
    try {
      return await withLease(lease, course, work);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }
}

async function withLease<T>(lease: Lease, course: TaskControl, work: LeasedWork<T>): Promise<T> {
  const progress = (share: number) => {
    lease.reportProgress(share);
    course.progress(share);
  };
  const signal = AbortSignal.any([course.signal, lease.signal]);
  try {
    return await work({ ...course, signal, progress }, lease.requireRenewal);
  } catch (error) {
    lease.signal.throwIfAborted();
    throw error;
  } finally {
    await lease.release();
  }
}

async function waited(leases: Leases, key: string, { signal, progress }: TaskControl): Promise<Lease> {
  for (;;) {
    signal.throwIfAborted();
    const lease = await leases.take(key);
    if (lease !== null) return lease;
    const other = (await leases.held()).find((each) => each.key === key);
    if (other?.progress != null) progress(other.progress);
    await pause(FOLLOW_MS, signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined);
}
