import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { HOUR_MS } from '../../../domain/limits.ts';
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
const SAFETY_MARGIN_MS = 2_000;
/** Poll interval in ms for a lease of another node. */
const POLL_MS = 100;
/** Timeout in ms of a requested release, longer than the lease of a dead node. */
const RELEASE_TIMEOUT_MS = LEASE_MS + 5_000;

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
  acquire(key: string, insists?: boolean): Promise<Lease | null>;
  /** Requests a release from the holder. Returns false if the lease is free. */
  requestRelease(key: string): Promise<boolean>;
  /** Leases of all nodes, including this one. Empty for a single process. */
  held(): Promise<HeldLease[]>;
  /** Deletes leases that dead nodes left behind. */
  sweep(): Promise<void>;
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
export function sharedLeases(deps: LeaseDeps): Leases {
  const { db, inTransaction, now } = deps;
  return {
    async acquire(key, insists = false) {
      const holder = randomUUID();
      const acquired = await inTransaction((tx) =>
        acquireLease(tx, { key, holder, until: endOf(now()) }, now()),
      );
      return acquired ? keep(deps, { key, holder, insists }) : null;
    },
    requestRelease: (key) => inTransaction((tx) => requestRelease(tx, key, now())),
    held: () => heldLeases(db, now()),
    // After an hour only: a lease that couldn't be renewed for a while may still belong to its holder.
    sweep: () => inTransaction((tx) => deleteExpiredLeases(tx, new Date(now().getTime() - HOUR_MS))),
  };
}

const endOf = (now: Date) => new Date(now.getTime() + LEASE_MS);

type LeaseOptions = { key: string; holder: string; insists: boolean };

function keep({ inTransaction, now, log }: LeaseDeps, { key, holder, ...how }: LeaseOptions): Lease {
  const controller = new AbortController();
  let progress: number | null = null;
  let { insists } = how;
  let fuse: NodeJS.Timeout | undefined;
  const rewind = () => {
    clearTimeout(fuse);
    fuse = setTimeout(
      () => insists && controller.abort(new LeaseLost()),
      LEASE_MS - SAFETY_MARGIN_MS,
    ).unref();
  };
  rewind();
  async function renew(): Promise<void> {
    const renewed = await inTransaction((tx) =>
      renewLease(tx, { key, holder, until: endOf(now()), progress }),
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
export async function acquireUntilAborted(leases: Leases, key: string, signal: AbortSignal): Promise<Lease> {
  for (const until = performance.now() + RELEASE_TIMEOUT_MS; ; ) {
    if (signal.aborted || performance.now() > until) throw new UploadLocked();
    const lease = await leases.acquire(key, true);
    if (lease !== null) return lease;
    await leases.requestRelease(key);
    await pause(POLL_MS, signal);
  }
}

/** Makes the holder stop. Rejects with `UploadLocked` after a timeout. */
export async function evict(leases: Leases, key: string): Promise<void> {
  const until = performance.now() + RELEASE_TIMEOUT_MS;
  while (await leases.requestRelease(key)) {
    if (performance.now() > until) throw new UploadLocked();
    await delay(POLL_MS);
  }
}

/** Poll interval in ms for the progress of another node. */
const PROGRESS_POLL_MS = 250;

type LeasedWork<T> = (control: TaskControl, insist: () => Promise<void>) => Promise<T>;

/**
 * Runs `work` while no other node does. Waits for another node and reports its progress. If the lease is lost, runs again after it.
 * Rejects with `LeaseRequested` if that ended the work.
 * @param work receives `insist`; after calling it, the work is stopped rather than done by two nodes at once
 */
export async function runWithLease<T>(
  leases: Leases,
  key: string,
  control: TaskControl,
  work: LeasedWork<T>,
): Promise<T> {
  for (;;) {
    const lease = await acquireAndFollow(leases, key, control);
    try {
      return await withLease(lease, control, work);
    } catch (error) {
      if (!(error instanceof LeaseLost)) throw error;
    }
  }
}

async function withLease<T>(lease: Lease, control: TaskControl, work: LeasedWork<T>): Promise<T> {
  const progress = (share: number) => {
    lease.reportProgress(share);
    control.progress(share);
  };
  const signal = AbortSignal.any([control.signal, lease.signal]);
  try {
    return await work({ ...control, signal, progress }, lease.requireRenewal);
  } catch (error) {
    lease.signal.throwIfAborted();
    throw error;
  } finally {
    await lease.release();
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
