import { pino } from 'pino';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Work } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type MediaWorker, type Outcome } from '../../src/server/media-worker/worker.ts';
import { FFMPEG } from './ffmpeg.ts';

export type Do = (work: Work) => Promise<Outcome>;

/** A course that nobody stops and nobody listens to. */
export const quiet = () => ({ signal: new AbortController().signal, progress: () => undefined });

/** A worker for the tests of this block. */
export function withWorker(ffmpeg: string | null = null): Do {
  let worker: MediaWorker;
  beforeAll(() => {
    worker = createMediaWorker({ log: pino({ level: 'silent' }), ffmpeg });
  });
  afterAll(() => worker.close());
  return (work) => worker.do(work, quiet());
}

/**
 * The same tests for both FFmpegs.
 * @param program of the system's, null for the built-in one
 */
export function onBothEngines(tests: (carryOut: Do, program: string | null) => void): void {
  describe.each([
    ['the built-in FFmpeg', null],
    ['the system’s', FFMPEG],
  ])('%s', (_name, program) => tests(withWorker(program), program));
}
