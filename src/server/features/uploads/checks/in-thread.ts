import { Worker } from 'node:worker_threads';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import type { UploadTarget } from '../../../../domain/media-slots.ts';
import type { Refused } from '../../../refused.ts';
import type { Good, Places } from '../checked.ts';
import type { Course } from '../jobs.ts';

/** What the thread is given, and what it says. */
export type Asked = { target: UploadTarget; places: Places };
export type Told =
  | { progress: number }
  | { end: Good | Refused<FileRefusal> }
  | { failed: { message: string; code?: string } };

/** More than the index of any film takes; a file that makes a library ask for more is broken. */
const LIMITS = { maxOldGenerationSizeMb: 512 } as const;

/**
 * Checks a file in a thread of its own: however long its bytes make a library think, everybody else is answered meanwhile. The libraries
 * come and go with the thread. A thread that dies of what it read has met a broken file. Rejects when it is stopped, or with the error of the
 * disk (its code kept).
 */
export async function checkInThread(asked: Asked, course: Course): Promise<Good | Refused<FileRefusal>> {
  course.signal.throwIfAborted();
  const worker = new Worker(new URL('check-thread.ts', import.meta.url), {
    workerData: asked,
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<Good | Refused<FileRefusal>>();
  const stop = () => reject(new Error('Stopped.'));
  course.signal.addEventListener('abort', stop, { once: true });
  worker.on('message', (told: Told) => {
    if ('progress' in told) course.progress(told.progress);
    else if ('end' in told) resolve(told.end);
    else reject(Object.assign(new Error(told.failed.message), told.failed));
  });
  const died = () => resolve({ refused: 'FILE_BROKEN' });
  worker.once('error', died).once('exit', died);
  try {
    return await promise;
  } finally {
    course.signal.removeEventListener('abort', stop);
    await worker.terminate();
  }
}
