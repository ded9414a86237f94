import {
  BLOCK_REASONS,
  type BlockReason,
  type FileRefusal,
  type ProcessingProgress,
} from '../../../contract/admin/media-processing.ts';
import type { TaskControl } from '../../media-worker/worker.ts';
import { isRefused, type Refusal } from '../../refused.ts';
import { createQueue, type Enqueue } from '../../work/in-turn.ts';

/** How the work on an upload ended: the file is in its slot, or it was refused. */
export type JobResult = { kept: true } | Refusal<FileRefusal | BlockReason | 'NOT_FOUND'>;

export type Job = {
  /** How far it is. */
  working(): ProcessingProgress;
  /** Rejects with what nobody expected. */
  end: Promise<JobResult>;
  signal: AbortSignal;
  stop(): void;
};

/** The uploads that this process is at, one job for each at most. */
export type Jobs = {
  /** The job of an upload; starts `work` if there is none. */
  getOrStart(id: string, work: (course: TaskControl) => Promise<JobResult>): Job;
  find(id: string): Job | undefined;
  /** What the last work on an upload couldn't go on for, until it is begun again. */
  blockReason(id: string): BlockReason | undefined;
  /**
   * Returns true if the last work on an upload failed unexpectedly, or without FFmpeg. Such work isn't retried automatically, only by the administrator or
   * after a restart.
   */
  hasFailed(id: string): boolean;
  /** The room (bytes) that the last work on an upload was too much for, where it ended by that; by itself it is begun again when there is more. */
  spaceNeeded: Map<string, number>;
  /** One upload is made at a time, to the end of it. */
  inTurn: Enqueue;
  /** Is the media worker at one of them, or about to be? */
  isBusy(): boolean;
  /** How many uploads are worked on, those that wait for their turn included. */
  count(): number;
  /** Has it told whenever the last job has ended. Returns what ends that. */
  onIdle(told: () => void): () => void;
  /** Stops the job of an upload, if there is one, and waits for its end. */
  stop(id: string): Promise<void>;
  /** Stops them all; what is asked for afterwards is stopped before it begins. */
  close(): Promise<void>;
};

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  const hindered = new Map<string, BlockReason>();
  const failed = new Set<string>();
  const spaceNeeded = new Map<string, number>();
  const resting = new Set<() => void>();
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
      hindered.delete(id);
      failed.delete(id);
      spaceNeeded.delete(id);
      const over = (hindrance: BlockReason | undefined) => {
        jobs.delete(id);
        if (jobs.size === 0) for (const told of resting) told();
        if (hindrance !== undefined) hindered.set(id, hindrance);
      };
      job.end.then(
        (end) => over(BLOCK_REASONS.find((each) => isRefused(end) && end.refused === each)),
        () => {
          failed.add(id);
          over('UNAVAILABLE');
        },
      );
      return job;
    },
    find: (id) => jobs.get(id),
    blockReason: (id) => hindered.get(id),
    hasFailed: (id) => failed.has(id) || hindered.get(id) === 'NO_FFMPEG',
    spaceNeeded,
    inTurn: createQueue(),
    isBusy: () => jobs.size > 0,
    count: () => jobs.size,
    onIdle(told) {
      resting.add(told);
      return () => void resting.delete(told);
    },
    stop,
    async close() {
      closing.abort(STOPPED);
      await Promise.all([...jobs.keys()].map(stop));
    },
  };
}

const STOPPED = new Error('Stopped.');

/** Before so much is done (0 to 1), or so much time has gone (ms), it doesn't tell how long the rest takes. */
const TELLING = { share: 0.02, ms: 2_000 } as const;
/** What is expected to take less (seconds) is done before that can be read. */
const LEAST_EXPECTED = 5;

function start(work: (course: TaskControl) => Promise<JobResult>, closing: AbortSignal): Job {
  const stopping = new AbortController();
  const signal = AbortSignal.any([stopping.signal, closing]);
  let progress = 0;
  let begun = false;
  /** When (ms) and how far it was, from where its pace is told. */
  let from = { at: 0, share: 0 };
  let expectedEnd = 0;
  const secondsLeft = () => {
    const now = performance.now();
    const [gone, done] = [now - from.at, progress - from.share];
    if (begun && done >= TELLING.share && gone >= TELLING.ms) return (gone * (1 - progress)) / done / 1_000;
    // What is late nobody can tell.
    return now < expectedEnd ? (expectedEnd - now) / 1_000 : null;
  };
  const course: TaskControl = {
    signal,
    progress(share) {
      if (!begun) from = { at: performance.now(), share: 0 };
      begun = true;
      progress = Math.min(1, Math.max(progress, share));
    },
    estimate(seconds) {
      from = { at: performance.now(), share: progress };
      expectedEnd = seconds < LEAST_EXPECTED ? 0 : from.at + 1_000 * seconds;
    },
  };
  return {
    working: () => ({ waiting: !begun, progress, secondsLeft: secondsLeft() }),
    end: work(course),
    signal,
    stop: () => stopping.abort(STOPPED),
  };
}
