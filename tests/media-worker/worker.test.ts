import { readFileSync } from 'node:fs';
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
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=size=640x360:rate=25:duration=4', '-c:v', 'mpeg2video', film);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => worker.close());

const work = () => ({ task: 'film', path: film, output: join(folder, 'made.mp4') }) as const;
const probe = () => ({ task: 'probe', kind: 'film', path: film }) as const;

/** Returns a control that calls back on each progress report. */
function controlWith(onProgress: (share: number) => void = () => undefined) {
  const stopping = new AbortController();
  return { stopping, course: { signal: stopping.signal, progress: onProgress } };
}

test('repeats a task whose child was killed, and refuses a file after repeated kills', async () => {
  worker = createMediaWorker({ log });
  let killed = 0;
  const once = controlWith((share) => {
    const pid = worker.pid();
    if (killed > 0 || share < 0.2 || pid === null) return;
    killed = pid;
    process.kill(pid, 'SIGKILL');
  });
  // On a busy machine progress may arrive after the child has ended; then the kill comes too late.
  do {
    killed = 0;
    await expect(worker.run(work(), once.course)).resolves.toMatchObject({ output: { extension: 'mp4' } });
    expect(killed).toBeGreaterThan(0);
  } while (worker.pid() === killed);
  const always = controlWith(() => {
    const pid = worker.pid();
    if (pid !== null) process.kill(pid, 'SIGKILL');
  });
  await expect(worker.run(work(), always.course)).resolves.toEqual({ refused: 'killed' });
});

test('estimates the time of a film before it starts, and stops at once when aborted', async () => {
  worker = createMediaWorker({ log });
  let share = 0;
  const { stopping, course } = controlWith((now) => {
    share = now;
  });
  const estimated = Promise.withResolvers<{ seconds: number; share: number }>();
  const expects = (seconds: number) => {
    estimated.resolve({ seconds, share });
    stopping.abort();
  };
  await expect(worker.run(work(), { ...course, estimate: expects })).rejects.toThrow('abort');
  expect(worker.pid()).toBeNull();
  expect(await estimated.promise).toEqual({ seconds: expect.any(Number) as number, share: 0 });
  expect((await estimated.promise).seconds).toBeGreaterThan(0.1);
});

test('ends a child without progress as stalled, and starts another', async () => {
  worker = createMediaWorker({ log, stalledMs: 4_000 });
  const ended = worker.run(work(), controlWith().course);
  await expect.poll(() => worker.pid(), { interval: 5 }).not.toBeNull();
  const stuck = worker.pid() ?? 0;
  process.kill(stuck, 'SIGSTOP');
  expect(await ended).toEqual({ refused: 'stalled' });
  expect(() => process.kill(stuck, 0)).toThrow('ESRCH');
  const probing = worker.run(probe(), controlWith().course);
  await expect(probing).resolves.toEqual({ seen: { duration: expect.closeTo(4, 1) as number } });
});

test('has a child with low priority and without secrets that ends when idle', async () => {
  process.env['SETUP_CODE'] = 'segreto';
  worker = createMediaWorker({ log, idleMs: 300 });
  await worker.run(probe(), controlWith().course);
  const pid = worker.pid() ?? 0;
  expect(getPriority(pid)).toBe(10);
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).not.toContain('segreto');
  delete process.env['SETUP_CODE'];
  await expect.poll(() => worker.pid(), { timeout: 10_000 }).toBeNull();
});

test('ends a child that exceeds its memory limit', async () => {
  worker = createMediaWorker({ log, maxMemory: 90 * 1024 ** 2 });
  await expect(worker.run(work(), controlWith().course)).resolves.toEqual({ refused: 'memory' });
  expect(worker.pid()).toBeNull();
});
