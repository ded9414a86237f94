import { join } from 'node:path';
import {
  BLOCK_REASONS,
  type BlockReason,
  type FileRefusal,
  type ProcessingProgress,
} from '../../../contract/admin/media.ts';
import type { Env } from '../../env.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import type { Objects } from '../../storage/storage.ts';
import { createSemaphore } from '../../work/semaphore.ts';
import { createLocker, evict, type LeaseDeps, NO_LEASES, sharedLeases } from './leases.ts';
import { uploadsInBucket } from './upload-bucket.ts';
import { openUploadFolder, type UploadFolder } from './upload-folder.ts';

/** Incoming files: their folder, the lock per upload, the jobs of this process and the leases of all nodes. */
export type Uploads = Awaited<ReturnType<typeof openUploads>>;

/**
 * @param arriving the bucket's store for incoming files; null without a bucket
 * @param shared database for the leases, if other nodes may work on the same uploads
 */
export async function openUploads(
  { DATA_DIR }: Pick<Env, 'DATA_DIR'>,
  { arriving = null, shared = false }: { arriving?: Objects | null; shared?: LeaseDeps | false } = {},
) {
  const leases = shared ? sharedLeases(shared) : NO_LEASES;
  const here = await openUploadFolder(join(DATA_DIR, 'uploads'));
  const folder: UploadFolder = arriving === null ? here : uploadsInBucket(arriving, here);
  return { folder, turns: createLocker(leases), jobs: createJobs(), leases };
}

/** Lease key of the work on an upload. */
export const workKey = (id: string) => `work:${id}`;

/** Stops the work on an upload on any node, and waits for its end. Rejects with `UploadLocked` if a node doesn't stop. */
export async function stopWork({ jobs, leases }: Uploads, id: string): Promise<void> {
  await jobs.stop(id);
  await evict(leases, workKey(id));
}

/** Returns a function that is true for uploads that a node works on. */
export async function activeUploadIds({ jobs, leases }: Uploads): Promise<(id: string) => boolean> {
  const held = new Set((await leases.held()).map(({ key }) => key.slice(key.indexOf(':') + 1)));
  return (id) => held.has(id) || jobs.find(id) !== undefined;
}

/** Result of an upload's job: the file is in its slot, or it was refused. */
export type JobResult = { kept: true } | Refusal<FileRefusal | BlockReason | 'NOT_FOUND'>;

export type Job = ReturnType<typeof start>;
type JobWork = (control: TaskControl) => Promise<JobResult>;

export type Jobs = ReturnType<typeof createJobs>;

/** Upload jobs of this process, at most one for each upload. */
export function createJobs() {
  const jobs = new Map<string, Job>();
  const blocked = new Map<string, { reason: BlockReason; isFinal: boolean }>();
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  /** Free bytes when the last job of an upload ran out of space. It restarts automatically when there are more. */
  const freeWhenFull = new Map<string, number>();
  /** Stops the job of an upload, if there is one, and waits for its end. */
  const stop = async (id: string) => {
    const job = jobs.get(id);
    job?.stop();
    await job?.end.catch(() => undefined);
  };
  return {
    /** Returns the job of an upload; starts `work` if there is none. */
    getOrStart(id: string, work: JobWork): Job {
      const known = jobs.get(id);
      if (known !== undefined) return known;
      const job = start(work, closing.signal);
      jobs.set(id, job);
      blocked.delete(id);
      freeWhenFull.delete(id);
      const onEnd = (reason: BlockReason | undefined, isFinal = reason === 'NO_FFMPEG') => {
        jobs.delete(id);
        if (reason !== undefined) blocked.set(id, { reason, isFinal });
        if (jobs.size === 0) for (const listener of listeners) listener();
      };
      job.end.then(
        (end) => onEnd(BLOCK_REASONS.find((each) => isRefused(end) && end.refused === each)),
        () => onEnd('UNAVAILABLE', true),
      );
      return job;
    },
    find: (id: string) => jobs.get(id),
    /** Reason why the last job of an upload stopped, until a new job starts. */
    blockReason: (id: string) => blocked.get(id)?.reason,
    /** Returns true if the last job of an upload failed unexpectedly, or without FFmpeg. Only the administrator or a restart retries it. */
    hasFailed: (id: string) => blocked.get(id)?.isFinal === true,
    freeWhenFull,
    /** Processes one upload at a time, to its end. */
    inTurn: createSemaphore(1),
    /** Returns true if a job is running or queued. */
    isBusy: () => jobs.size > 0,
    /** Number of jobs, queued ones included. */
    count: () => jobs.size,
    /** Calls a listener whenever the last job has ended. Returns a function that unsubscribes it. */
    onIdle(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop,
    /** Stops all jobs. Later ones are stopped before they begin. */
    async close() {
      closing.abort(STOPPED);
      await Promise.all([...jobs.keys()].map(stop));
    },
  };
}

const STOPPED = new Error('Stopped.');

/** Minimum progress (0 to 1) and time (ms) before the remaining time is computed from the pace. */
const ESTIMATE_AFTER = { share: 0.02, ms: 2_000 } as const;
/** Shorter estimates, in seconds, are not shown: the work ends before they can be read. */
const MIN_ESTIMATE_S = 5;

function start(work: JobWork, closing: AbortSignal) {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, closing]);
  let progress = 0;
  let begun = false;
  /** Time (ms) and progress from which the pace is measured. */
  let from = { at: 0, share: 0 };
  let expectedEnd = 0;
  const secondsLeft = () => {
    const now = performance.now();
    const [elapsed, done] = [now - from.at, progress - from.share];
    if (begun && done >= ESTIMATE_AFTER.share && elapsed >= ESTIMATE_AFTER.ms)
      return (elapsed * (1 - progress)) / done / 1_000;
    // Overdue work has no estimate.
    return now < expectedEnd ? (expectedEnd - now) / 1_000 : null;
  };
  const control: TaskControl = {
    signal,
    progress(share) {
      if (!begun) from = { at: performance.now(), share: 0 };
      begun = true;
      progress = Math.min(1, Math.max(progress, share));
    },
    estimate(seconds) {
      from = { at: performance.now(), share: progress };
      expectedEnd = seconds < MIN_ESTIMATE_S ? 0 : from.at + 1_000 * seconds;
    },
  };
  return {
    working: (): ProcessingProgress => ({ waiting: !begun, progress, secondsLeft: secondsLeft() }),
    /** Rejects with an unexpected error. */
    end: work(control),
    signal,
    stop: () => stopping.abort(STOPPED),
  };
}
