import type { Child } from './child-process.ts';
import { type MediaTask, type TaskMessage, type TaskResult, workerMessageSchema } from './door.ts';
import { maxDurationMs, RECYCLE_MEMORY } from './process-limits.ts';

/** Progress reports to the caller, and the signal to abort the task. */
export type TaskControl = {
  signal: AbortSignal;
  progress(share: number): void;
  /** Reports the expected seconds of a long task, before there is any progress to extrapolate from. */
  estimate?(seconds: number): void;
};

/** `isTired`: the child must not get another task. */
type TaskExit = 'died' | { end: TaskResult; isTired: boolean };
type TaskLimits = { bytes: number; stalledMs: number; course: TaskControl };

/** Id of the latest task. */
let latest = 0;

/** Sends a task and waits for its end. Refuses the file as `stalled` if `done` stops growing or the task takes too long. */
export async function runTask(
  child: Child,
  work: MediaTask,
  { bytes, stalledMs, course }: TaskLimits,
): Promise<TaskExit> {
  const { promise, resolve, reject } = Promise.withResolvers<TaskExit>();
  const stalled = () => resolve({ end: { refused: 'stalled' }, isTired: true });
  const stop = () => reject(course.signal.reason);
  const order: TaskMessage = { id: (latest += 1), work };
  const begun = performance.now();
  let [done, megapixels, expected] = [-1, 0, 0];
  let stuck = setTimeout(stalled, stalledMs);
  const hear = (raw: unknown) => {
    const word = workerMessageSchema.safeParse(raw).data;
    if (word === undefined || word.id !== order.id) return;
    if ('end' in word) return resolve({ end: word.end, isTired: word.memory > RECYCLE_MEMORY });
    course.progress(word.share);
    if (word.seconds !== null && word.seconds !== expected) course.estimate?.(word.seconds);
    expected = word.seconds ?? expected;
    megapixels = Math.max(megapixels, word.megapixels ?? 0);
    if (performance.now() - begun > maxDurationMs({ bytes, megapixels })) return stalled();
    if (word.done <= done) return;
    done = word.done;
    clearTimeout(stuck);
    stuck = setTimeout(stalled, stalledMs);
  };
  child.process.on('message', hear);
  course.signal.addEventListener('abort', stop, { once: true });
  void child.ended.then(() => resolve('died'));
  try {
    child.process.send(order, (error) => error && resolve('died'));
    return await promise;
  } finally {
    clearTimeout(stuck);
    child.process.off('message', hear);
    course.signal.removeEventListener('abort', stop);
  }
}
