import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { MediaTask } from '../../src/server/media-worker/door.ts';
import {
  createMediaWorker,
  type MediaWorker,
  type TaskOutcome,
} from '../../src/server/media-worker/worker.ts';

export type Do = (work: MediaTask) => Promise<TaskOutcome>;

/** Task control without cancellation or progress. */
export const quiet = () => ({ signal: new AbortController().signal, progress: () => undefined });

/** Starts a media worker for the tests of this block. */
export function withWorker(): Do {
  let worker: MediaWorker;
  beforeAll(() => {
    worker = createMediaWorker({ log: pino({ level: 'silent' }) });
  });
  afterAll(() => worker.close());
  return (work) => worker.run(work, quiet());
}
