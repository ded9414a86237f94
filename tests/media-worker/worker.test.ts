import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createMediaWorker, type MediaWorker } from '../../src/server/media-worker/worker.ts';
import { ffmpeg } from '../support/ffmpeg.ts';

let folder: string;
let film: string;
let worker: MediaWorker;
const log = pino({ level: 'silent' });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'worker-'));
  film = join(folder, 'film.mkv');
  const source = ['-f', 'lavfi', '-i', 'testsrc2=size=1280x720:rate=25:duration=8'];
  await ffmpeg(...source, '-c:v', 'mpeg2video', film);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => worker.close());

const made = () => join(folder, 'made.mp4');
const work = () => ({ what: 'film', path: film, made: made() }) as const;

/** A course that calls back at each word of progress. */
function courseWith(heard: (share: number) => void) {
  const stopping = new AbortController();
  return { stopping, course: { signal: stopping.signal, progress: heard } };
}

test('goes on from the beginning when it is killed, and then there is a film', {
  timeout: 90_000,
}, async () => {
  worker = createMediaWorker({ log });
  let killed = 0;
  const { course } = courseWith((share) => {
    const pid = worker.pid();
    if (killed > 0 || share < 0.2 || pid === null) return;
    killed = pid;
    process.kill(pid, 'SIGKILL');
  });
  await expect(worker.do(work(), course)).resolves.toMatchObject({ made: { extension: 'mp4' } });
  expect(killed).toBeGreaterThan(0);
  expect(worker.pid()).not.toBe(killed);
});

test('gives a file up that it dies of again and again', { timeout: 90_000 }, async () => {
  worker = createMediaWorker({ log });
  const { course } = courseWith(() => {
    const pid = worker.pid();
    if (pid !== null) process.kill(pid, 'SIGKILL');
  });
  await expect(worker.do(work(), course)).resolves.toEqual({ refused: 'killed' });
});

test('tells how long a film will take before it is at it', { timeout: 60_000 }, async () => {
  worker = createMediaWorker({ log });
  let share = 0;
  const { stopping, course } = courseWith((now) => {
    share = now;
  });
  const told = Promise.withResolvers<{ seconds: number; share: number }>();
  const expects = (seconds: number) => {
    told.resolve({ seconds, share });
    stopping.abort();
  };
  await expect(worker.do(work(), { ...course, expects })).rejects.toThrow();
  const { seconds, share: before } = await told.promise;
  expect(seconds).toBeGreaterThan(0.5);
  expect(before).toBe(0);
});

test('stops at once when it is told to', { timeout: 60_000 }, async () => {
  worker = createMediaWorker({ log });
  const { stopping, course } = courseWith((share) => {
    if (share > 0.1) stopping.abort();
  });
  await expect(worker.do(work(), course)).rejects.toThrow('abort');
  expect(worker.pid()).toBeNull();
});

test('does one thing at a time, and what is stopped while it waits leaves the line', {
  timeout: 60_000,
}, async () => {
  worker = createMediaWorker({ log });
  const order: string[] = [];
  const first = worker.do(work(), courseWith(() => undefined).course).then(() => order.push('first'));
  const { stopping, course } = courseWith(() => undefined);
  const waiting = worker.do(work(), course).catch(() => order.push('stopped'));
  const last = worker
    .do({ what: 'probe', kind: 'film', path: film }, courseWith(() => undefined).course)
    .then(() => order.push('last'));
  stopping.abort();
  await Promise.all([first, waiting, last]);
  expect(order).toEqual(['stopped', 'first', 'last']);
});

test('calls a child that says nothing stuck, and starts another', { timeout: 60_000 }, async () => {
  worker = createMediaWorker({ log, stalledMs: 6_000 });
  let stuck = 0;
  const { course } = courseWith(() => {
    const pid = worker.pid();
    if (stuck > 0 || pid === null) return;
    stuck = pid;
    process.kill(pid, 'SIGSTOP');
  });
  await expect(worker.do(work(), course)).resolves.toEqual({ refused: 'stalled' });
  expect(() => process.kill(stuck, 0)).toThrow('ESRCH');
  const probing = worker.do({ what: 'probe', kind: 'film', path: film }, courseWith(() => undefined).course);
  await expect(probing).resolves.toMatchObject({ seen: { picture: { width: 1280, height: 720 } } });
});

test('the child gives way to everybody else, knows no secrets, and ends when it is idle', {
  timeout: 60_000,
}, async () => {
  process.env['SETUP_CODE'] = 'segreto';
  worker = createMediaWorker({ log, idleMs: 300 });
  await worker.do({ what: 'probe', kind: 'film', path: film }, courseWith(() => undefined).course);
  const pid = worker.pid() ?? 0;
  expect(getPriority(pid)).toBe(10);
  if (process.platform === 'linux')
    expect(
      execFileSync('tr', ['\\0', '\\n'], { input: execFileSync('cat', [`/proc/${pid}/environ`]) }).toString(),
    ).not.toContain('segreto');
  delete process.env['SETUP_CODE'];
  await expect.poll(() => worker.pid(), { timeout: 10_000 }).toBeNull();
});

test('ends where it needs more memory than it may have', { timeout: 60_000 }, async () => {
  worker = createMediaWorker({ log, mostMemory: 90 * 1024 ** 2 });
  await expect(worker.do(work(), courseWith(() => undefined).course)).resolves.toEqual({ refused: 'memory' });
  expect(worker.pid()).toBeNull();
});

test('an error of the disk is none of the file', { timeout: 60_000 }, async () => {
  worker = createMediaWorker({ log });
  const nowhere = { ...work(), made: join(folder, 'missing', 'made.mp4') };
  await expect(worker.do(nowhere, courseWith(() => undefined).course)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
