import { pino } from 'pino';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Work } from '../../src/server/media-worker/door.ts';
import { createMediaWorker, type MediaWorker, type Outcome } from '../../src/server/media-worker/worker.ts';
import { FFMPEG } from './ffmpeg.ts';
import { ofLong } from './long.ts';

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

const BUILT_IN: [string, null] = ['the built-in FFmpeg', null];
const BOTH: [string, string | null][] = [BUILT_IN, ['the system’s', FFMPEG]];

type Tests = (carryOut: Do, program: string | null) => void;

/**
 * The same tests for both FFmpegs; in `npm test` for the built-in one.
 * @param program of the system's, null for the built-in one
 */
export function onBothEngines(tests: Tests): void {
  onEach(ofLong(BOTH, [BUILT_IN]), tests);
}

/** The same tests for both FFmpegs, in `npm test`, too. */
export function alwaysOnBothEngines(tests: Tests): void {
  onEach(BOTH, tests);
}

function onEach(engines: [string, string | null][], tests: Tests): void {
  describe.each(engines)('%s', (_name, program) => tests(withWorker(program), program));
}
