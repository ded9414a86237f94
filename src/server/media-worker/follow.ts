import type { Child } from './child-process.ts';
import { type MediaTask, type TaskMessage, type TaskResult, workerMessageSchema } from './door.ts';
import { maxDurationMs, RECYCLE_MEMORY } from './process-limits.ts';

/** How somebody who waits hears of the work, and has it stopped. */
export type TaskControl = {
  signal: AbortSignal;
  progress(share: number): void;
  /** About so many seconds are still to come: told before there is any progress to tell it by, for what takes long. */
  estimate?(seconds: number): void;
};

/** `isTired`: nothing more may be asked of this child. */
type TaskExit = 'died' | { end: TaskResult; isTired: boolean };
type TaskLimits = { bytes: number; stalledMs: number; course: TaskControl };

/** How many orders were given. */
let latest = 0;

/** Gives an order and listens until it is done, or the child dies, shows no sign of work for too long, or is at it for too long. */
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
