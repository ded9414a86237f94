import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import type { MediaTask } from '../../src/server/media-worker/door.ts';
import {
  createMediaWorker,
  type MediaWorker,
  type TaskOutcome,
} from '../../src/server/media-worker/worker.ts';

export type Do = (work: MediaTask) => Promise<TaskOutcome>;

/** A course that nobody stops and nobody listens to. */
export const quiet = () => ({ signal: new AbortController().signal, progress: () => undefined });

/** A worker for the tests of this block. */
export function withWorker(): Do {
  let worker: MediaWorker;
  beforeAll(() => {
    worker = createMediaWorker({ log: pino({ level: 'silent' }) });
  });
  afterAll(() => worker.close());
  return (work) => worker.run(work, quiet());
}
