import { parentPort, workerData } from 'node:worker_threads';
import { checkOf } from './check-of.ts';
import type { Asked, Told } from './in-thread.ts';

/** Nobody asks this thread to stop: it is ended. */
const { signal } = new AbortController();

const tell = (told: Told) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(told);
};

/** An error loses its code on the way between threads. */
function failureOf(error: unknown): Told {
  if (!(error instanceof Error)) return { failed: { message: String(error) } };
  const { message } = error;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { failed: code === undefined ? { message } : { message, code } };
}

const { target, places } = workerData as Asked;
const course = { signal, progress: (progress: number) => tell({ progress }) };
tell(await checkOf(target)(places, course).then((end): Told => ({ end }), failureOf));
