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

/** A lease that nobody renews ends after this: so long is waited for a node that was killed. In ms, as all here. */
const LEASE_MS = 10_000;
const RENEW_MS = 1_000;
/** Who must not go on without a lease stops so long before it ends. */
const SPARE_MS = 2_000;
/** Time between two looks at what another node has. */
const LOOK_MS = 100;
/** So long somebody who was asked to leave is waited for: longer than a dead one's lease. */
const PATIENCE_MS = LEASE_MS + 5_000;

/** Another node has it now. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

/** Another node wants it. */
export class LeaseRequested extends Error {
  override name = 'LeaseRequested';
}

/** Somebody else has it, and doesn't leave. In the form in which the tus library answers it: 423, as the protocol's own server does. */
export class UploadLocked extends Error {
  override name = 'UploadLocked';
  readonly status_code = 423;
  readonly body = 'UPLOAD_LOCKED';
}

export type Lease = {
  /** Aborted with `LeaseLost` or `LeaseRequested`. */
  signal: AbortSignal;
  reportProgress(progress: number): void;
  /** Renews it now, and from now on ends it by itself where it can't be renewed in time. Rejects where another node has it. */
  requireRenewal(): Promise<void>;
  release(): Promise<void>;
};

/** Which of the nodes is at something. */
export type Leases = {
  /**
   * Null where another node has it.
   * @param insists as after `insist`, from the start
   */
  take(key: string, insists?: boolean): Promise<Lease | null>;
  /** Asks whoever has it on another node to leave. Is there anybody? */
  ask(key: string): Promise<boolean>;
  /** What the nodes have, this one included; of a single one nothing. */
  held(): Promise<HeldLease[]>;
  /** Forgets what dead nodes have left. */
  sweep(): Promise<void>;
};

/** Of a single process: what it does in turn nobody else does. */
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

/** Leases in the database, by the product's time. Who has one renews it every second, and hears then whether somebody wants it. */
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
    // Not at once: one that couldn't be renewed for a while may still be its holder's.
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
      // Otherwise it ends by itself.
      await inTransaction((tx) => releaseLease(tx, { key, holder })).catch((err: unknown) =>
        log.debug({ err, lease: key }, 'a lease was not given back'),
      );
    },
  };
}

/** The lease, once whoever has it has left as asked. Rejects with `UploadLocked` where that takes too long, or nobody waits any more. */
export async function acquireWithin(leases: Leases, key: string, signal: AbortSignal): Promise<Lease> {
  for (const until = performance.now() + PATIENCE_MS; ; ) {
    if (signal.aborted || performance.now() > until) throw new UploadLocked();
    const lease = await leases.take(key, true);
    if (lease !== null) return lease;
    await leases.ask(key);
    await pause(LOOK_MS, signal);
  }
}

/** Has whoever is at it on another node stop. Rejects with `UploadLocked` where that takes too long. */
export async function evict(leases: Leases, key: string): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (await leases.ask(key)) {
    if (performance.now() > until) throw new UploadLocked();
    await delay(LOOK_MS);
  }
}

/** Time between two looks at how far another node is. */
const FOLLOW_MS = 250;

type LeasedWork<T> = (course: TaskControl, insist: () => Promise<void>) => Promise<T>;

/**
 * Does a piece of work while no other node is at it: one that is, is waited for, and its progress told as one's own. Work that another node has
 * taken over meanwhile begins anew after it. Rejects with `LeaseRequested` where that ended the work.
 * @param work told how to insist: from then on it is stopped rather than done by two nodes at once
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
