import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { createSemaphore } from '../work/semaphore.ts';
import {
  type FileProblem,
  inputPaths,
  type MediaTask,
  type TaskMessage,
  type TaskResult,
  workerMessageSchema,
} from './door.ts';
import { type Child, createManagedChild, MB } from './process.ts';

export type { FileProblem, MediaTask };

/** Result of a task, or the problem of its file. */
export type TaskOutcome = Exclude<TaskResult, { failed: string }>;

/** A background task was preempted by a more urgent one. */
export class Preempted extends Error {
  override name = 'Preempted';
}

/** Progress reports to the caller, and the signal to abort the task. */
export type TaskControl = {
  signal: AbortSignal;
  progress(share: number): void;
  /** Reports the expected seconds of a long task, before there is any progress to extrapolate from. */
  estimate?(seconds: number): void;
};

/** Runs media tasks in a child process; the server itself never decodes a file. */
export type MediaWorker = {
  /**
   * Runs a task after those before it. Rejects if aborted, or with an error of the machine, whose code is preserved. The caller removes
   * partial output. A light film rejects with `Preempted` when a task of another kind is requested; a check (`whole`) does so, too,
   * unless that task is a light film.
   */
  run(work: MediaTask, control: TaskControl): Promise<TaskOutcome>;
  /** Process id of the child; null if none is running. */
  pid(): number | null;
  close(): Promise<void>;
};

/** Memory limit of the child in bytes; above it the child is ended. */
const MAX_MEMORY = 900 * MB;
/** A child that holds more bytes than this after a task is replaced. */
const RECYCLE_MEMORY = 300 * MB;
/** Timeouts without progress and without a task, in ms. */
const STALLED_MS = 60_000;
const IDLE_MS = 20_000;
/** Attempts at a file that ended the child; the cause may have been another one. */
const MAX_ATTEMPTS = 3;

type Options = { log: Logger; idleMs?: number; stalledMs?: number; maxMemory?: number };

export function createMediaWorker({
  log,
  idleMs = IDLE_MS,
  stalledMs = STALLED_MS,
  maxMemory = MAX_MEMORY,
}: Options): MediaWorker {
  const managedChild = createManagedChild(idleMs, maxMemory);
  const speed = createSpeedEstimate(availableParallelism());
  const inTurn = createSemaphore(1);
  const yielding = [new AbortController(), new AbortController()];

  async function attempt(work: MediaTask, control: TaskControl): Promise<TaskResult | 'died'> {
    const sizes = await Promise.all(inputPaths(work).map(async (path) => (await stat(path)).size));
    if (sizes.includes(0)) return { refused: 'empty' };
    const bytes = sizes.reduce((sum, size) => sum + size);
    control.signal.throwIfAborted();
    const child = managedChild.child();
    const exit = await runTask(child, work, { bytes, stalledMs, control });
    const words = child.lastLines;
    if (exit === 'died') {
      const { signal, outOfMemory } = await child.ended;
      log.warn({ work: work.task, signal, outOfMemory, words }, 'the media worker died');
      return outOfMemory ? { refused: 'memory' } : 'died';
    }
    const { end, isTired } = exit;
    if ('refused' in end) log.debug({ work: work.task, ...end, words }, 'a file was refused');
    if (isTired) await managedChild.end();
    return end;
  }

  async function carryOut(work: MediaTask, control: TaskControl): Promise<TaskOutcome> {
    let [expected, startedAt] = [0, 0];
    const estimate = (seconds: number) => {
      [expected, startedAt] = [seconds, performance.now()];
      control.estimate?.(speed.localSeconds(seconds));
    };
    try {
      for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
        const end = await attempt(work, { ...control, estimate });
        if (end === 'died') continue;
        if (work.task === 'film' && 'output' in end)
          speed.learn(expected, (performance.now() - startedAt) / 1_000);
        if (!('failed' in end)) return end;
        throw Object.assign(new Error(end.failed), end.code === null ? {} : { code: end.code });
      }
      return { refused: 'killed' };
    } catch (error) {
      // Aborted during the task: its result is no longer needed.
      if (control.signal.aborted) await managedChild.end();
      throw error;
    } finally {
      managedChild.startIdleTimeout();
    }
  }

  return {
    run(work, control) {
      const urgency = urgencyOf(work);
      for (const [level, waiting] of yielding.entries()) {
        if (level >= urgency) break;
        waiting.abort(new Preempted());
        yielding[level] = new AbortController();
      }
      const yields = yielding[urgency];
      const signal = yields ? AbortSignal.any([control.signal, yields.signal]) : control.signal;
      return inTurn.run(() => carryOut(work, { ...control, signal }), { signal });
    },
    pid: managedChild.pid,
    close: managedChild.end,
  };
}

/** Returns the urgency of a task, 0 to 2. A request preempts all less urgent tasks. */
function urgencyOf({ task }: MediaTask): number {
  if (task === 'light') return 0;
  return task === 'whole' ? 1 : 2;
}

/** `isTired`: the child must not get another task. */
type TaskExit = 'died' | { end: TaskResult; isTired: boolean };
type TaskLimits = { bytes: number; stalledMs: number; control: TaskControl };

/** Id of the latest task. */
let latest = 0;

/** Sends a task and waits for its end. Refuses the file as `stalled` if `done` stops growing or the task takes too long. */
async function runTask(
  child: Child,
  work: MediaTask,
  { bytes, stalledMs, control }: TaskLimits,
): Promise<TaskExit> {
  const { promise, resolve, reject } = Promise.withResolvers<TaskExit>();
  const stalled = () => resolve({ end: { refused: 'stalled' }, isTired: true });
  const stop = () => reject(control.signal.reason);
  const taskMessage: TaskMessage = { id: (latest += 1), work };
  const startedAt = performance.now();
  let [done, megapixels, expected] = [-1, 0, 0];
  let stallTimer = setTimeout(stalled, stalledMs);
  const onMessage = (raw: unknown) => {
    const message = workerMessageSchema.safeParse(raw).data;
    if (message === undefined || message.id !== taskMessage.id) return;
    if ('end' in message) return resolve({ end: message.end, isTired: message.memory > RECYCLE_MEMORY });
    control.progress(message.share);
    if (message.seconds !== null && message.seconds !== expected) control.estimate?.(message.seconds);
    expected = message.seconds ?? expected;
    megapixels = Math.max(megapixels, message.megapixels ?? 0);
    if (performance.now() - startedAt > maxDurationMs(bytes, megapixels)) return stalled();
    if (message.done <= done) return;
    done = message.done;
    clearTimeout(stallTimer);
    stallTimer = setTimeout(stalled, stalledMs);
  };
  child.process.on('message', onMessage);
  control.signal.addEventListener('abort', stop, { once: true });
  void child.ended.then(() => resolve('died'));
  try {
    child.process.send(taskMessage, (error) => error && resolve('died'));
    return await promise;
  } finally {
    clearTimeout(stallTimer);
    child.process.off('message', onMessage);
    control.signal.removeEventListener('abort', stop);
  }
}

/**
 * Returns the longest duration of a task in ms, by the bytes to read and the megapixels found. A slow machine needs a tenth of it. The
 * bytes also bound the time for megapixels, because few bytes may claim any number of pictures.
 */
function maxDurationMs(bytes: number, megapixels: number): number {
  const reading = 60_000 + (bytes / MB) * 1_000;
  const making = Math.min(megapixels * 300, 300_000 + (bytes / MB) * 300_000);
  return reading + making;
}

/** Number of cores that expected times refer to, and the most that a task uses. */
const CORES = { usual: 2, most: 4 } as const;
/** Shortest task to learn from, in seconds: a shorter one is mostly startup and shutdown. */
const MIN_LEARNING_SECONDS = 5;
/** Largest factor by which the machine is assumed to be slower or faster. */
const MAX_FACTOR = 8;

/**
 * Estimates the duration of tasks on this machine. `expected`: seconds of a task on two cores. Starts from the number of cores. Each
 * finished task then counts as much as all before it. Not stored across restarts.
 */
export function createSpeedEstimate(cores: number) {
  let measuredFactor: number | null = null;
  const initialFactor = CORES.usual / Math.min(Math.max(1, cores), CORES.most);
  return {
    /** Returns the seconds that a task takes here. */
    localSeconds: (expected: number) => expected * (measuredFactor ?? initialFactor),
    /** Records that a task took `took` seconds. */
    learn(expected: number, took: number) {
      if (expected < MIN_LEARNING_SECONDS) return;
      const factor = Math.min(MAX_FACTOR, Math.max(1 / MAX_FACTOR, took / expected));
      measuredFactor = measuredFactor === null ? factor : (measuredFactor + factor) / 2;
    },
  };
}
