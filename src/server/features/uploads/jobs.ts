import type { FileRefusal } from '../../../contract/admin/media.ts';
import type { Refused } from '../../refused.ts';

/** How a check ended: the file is in its slot, or it was refused. */
export type End = { kept: true } | Refused<FileRefusal | 'STORAGE_FULL' | 'UNAVAILABLE' | 'NOT_FOUND'>;

/** What a check under way can say of itself, and how it learns that it should stop. */
export type Course = { signal: AbortSignal; progress(share: number): void };

export type Job = {
  /** How far it is, 0 to 1. */
  progress: number;
  /** Rejects with what nobody expected. */
  end: Promise<End>;
  signal: AbortSignal;
  stop(): void;
};

/** The checks under way in this process, one for an upload at most. */
export type Jobs = {
  /** The job of an upload; starts `work` if there is none. */
  of(id: string, work: (course: Course) => Promise<End>): Job;
  has(id: string): boolean;
  /** Does heavy work when nobody else does any; rejects if it is stopped while it waits. */
  inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
  /** Has the job of an upload been told to stop? */
  isStopping(id: string): boolean;
  /** Stops the job of an upload, if there is one, and waits for its end. */
  stop(id: string): Promise<void>;
  /** Stops them all. */
  close(): Promise<void>;
};

export function createJobs(): Jobs {
  const jobs = new Map<string, Job>();
  const stop = async (id: string) => {
    const job = jobs.get(id);
    job?.stop();
    await job?.end.catch(() => undefined);
  };
  return {
    of(id, work) {
      const known = jobs.get(id);
      if (known !== undefined) return known;
      const job = start(work);
      jobs.set(id, job);
      const forget = () => void jobs.delete(id);
      job.end.then(forget, forget);
      return job;
    },
    inTurn: createQueue(),
    has: (id) => jobs.has(id),
    isStopping: (id) => jobs.get(id)?.signal.aborted ?? false,
    stop,
    async close() {
      await Promise.all([...jobs.keys()].map(stop));
    },
  };
}

/** One after the other. Whoever is stopped in the queue leaves it at once. */
function createQueue(): Jobs['inTurn'] {
  let last: Promise<unknown> = Promise.resolve();
  return (signal, work) => {
    const stopped = Promise.withResolvers<never>();
    const stop = () => stopped.reject(new Error('Stopped.'));
    signal.addEventListener('abort', stop, { once: true });
    const mine = Promise.race([last, stopped.promise])
      .finally(() => signal.removeEventListener('abort', stop))
      .then(work);
    last = Promise.allSettled([last, mine]);
    return mine;
  };
}

function start(work: (course: Course) => Promise<End>): Job {
  const stopping = new AbortController();
  const job: Job = {
    progress: 0,
    end: Promise.resolve({ kept: true }),
    signal: stopping.signal,
    stop: () => stopping.abort(),
  };
  job.end = work({
    signal: stopping.signal,
    progress: (share) => {
      job.progress = Math.min(1, Math.max(job.progress, share));
    },
  });
  return job;
}
