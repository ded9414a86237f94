import {
  BLOCK_REASONS,
  type BlockReason,
  type FileRefusal,
  type ProcessingProgress,
} from '../../../contract/admin/media.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { createQueue, type Enqueue } from '../../work/in-turn.ts';

/** Result of an upload's job: the file is in its slot, or it was refused. */
export type JobResult = { kept: true } | Refusal<FileRefusal | BlockReason | 'NOT_FOUND'>;

export type Job = {
  working(): ProcessingProgress;
  /** Rejects with an unexpected error. */
  end: Promise<JobResult>;
  signal: AbortSignal;
  stop(): void;
};

/** Upload jobs of this process, at most one for each upload. */
export type Jobs = {
  /** Returns the job of an upload; starts `work` if there is none. */
  getOrStart(id: string, work: (control: TaskControl) => Promise<JobResult>): Job;
  find(id: string): Job | undefined;
  /** Reason why the last job of an upload stopped, until a new job starts. */
  blockReason(id: string): BlockReason | undefined;
  /** Returns true if the last job of an upload failed unexpectedly, or without FFmpeg. Only the administrator or a restart retries it. */
  hasFailed(id: string): boolean;
  /** Free bytes when the last job of an upload ran out of space. It restarts automatically when there are more. */
  freeWhenFull: Map<string, number>;
  /** Processes one upload at a time, to its end. */
  inTurn: Enqueue;
  /** Returns true if a job is running or queued. */
  isBusy(): boolean;
  /** Number of jobs, queued ones included. */
  count(): number;
  /** Calls a listener whenever the last job has ended. Returns a function that unsubscribes it. */
  onIdle(listener: () => void): () => void;
  /** Stops the job of an upload, if there is one, and waits for its end. */
  stop(id: string): Promise<void>;
  /** Stops all jobs. Later ones are stopped before they begin. */
  close(): Promise<void>;
};

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  const blocked = new Map<string, BlockReason>();
  const failed = new Set<string>();
  const freeWhenFull = new Map<string, number>();
  const listeners = new Set<() => void>();
  const closing = new AbortController();
  const stop = async (id: string) => {
    const job = jobs.get(id);
    job?.stop();
    await job?.end.catch(() => undefined);
  };
  return {
    getOrStart(id, work) {
      const known = jobs.get(id);
      if (known !== undefined) return known;
      const job = start(work, closing.signal);
      jobs.set(id, job);
      blocked.delete(id);
      failed.delete(id);
      freeWhenFull.delete(id);
      const onEnd = (reason: BlockReason | undefined) => {
        jobs.delete(id);
        if (jobs.size === 0) for (const listener of listeners) listener();
        if (reason !== undefined) blocked.set(id, reason);
      };
      job.end.then(
        (end) => onEnd(BLOCK_REASONS.find((each) => isRefused(end) && end.refused === each)),
        () => {
          failed.add(id);
          onEnd('UNAVAILABLE');
        },
      );
      return job;
    },
    find: (id) => jobs.get(id),
    blockReason: (id) => blocked.get(id),
    hasFailed: (id) => failed.has(id) || blocked.get(id) === 'NO_FFMPEG',
    freeWhenFull,
    inTurn: createQueue(),
    isBusy: () => jobs.size > 0,
    count: () => jobs.size,
    onIdle(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop,
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

function start(work: (control: TaskControl) => Promise<JobResult>, closing: AbortSignal): Job {
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
    working: () => ({ waiting: !begun, progress, secondsLeft: secondsLeft() }),
    end: work(control),
    signal,
    stop: () => stopping.abort(STOPPED),
  };
}
