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
type TaskLimits = { bytes: number; stalledMs: number; control: TaskControl };

/** Id of the latest task. */
let latest = 0;

/** Sends a task and waits for its end. Refuses the file as `stalled` if `done` stops growing or the task takes too long. */
export async function runTask(
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
    if (performance.now() - startedAt > maxDurationMs({ bytes, megapixels })) return stalled();
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
