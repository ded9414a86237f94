import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createMediaWorker, GaveWay } from '../../src/server/media-worker/worker.ts';
import { complaintsOn, ffmpeg, readFilm } from '../support/ffmpeg.ts';
import { useFilms } from '../support/films.ts';
import { quiet, withWorker } from '../support/media-work.ts';

/** Apart from the original by at most so much (seconds). */
const IN_SYNC = 0.08;

const { folder } = useFilms();

/** A film as it is stored, hard to make small: noise over a picture that moves. */
async function film(name: string, size: string, rate: number): Promise<string> {
  const path = join(folder(), name);
  const picture = `testsrc2=size=${size}:rate=${rate}:duration=1,noise=alls=30:allf=t`;
  const sources = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', 'sine=duration=1:sample_rate=48000'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  await ffmpeg(...sources, '-ac', '2', ...encoding, '-b:a', '160k', path);
  return path;
}

const carryOut = withWorker();

const madeOf = async (path: string) => {
  const made = join(folder(), 'light.mp4');
  const outcome = await carryOut({ what: 'light', path, made });
  return { made, outcome, before: await readFilm(path), after: await readFilm(made) };
};

test('a film becomes a light one of the same length and sync', { timeout: 120_000 }, async () => {
  const path = await film('large.mp4', '1280x720', 60);
  const { made, outcome, before, after } = await madeOf(path);
  expect(outcome).toMatchObject({ made: { width: 960, height: 540, hasSound: true, extension: 'mp4' } });
  expect(after.streams[0]).toMatchObject({ codec_name: 'h264', profile: 'High', width: 960, height: 540 });
  expect(after.streams[1]).toMatchObject({ codec_name: 'aac', profile: 'LC', channels: 2 });
  // As much as the line carries in its time, and what is buffered before: two seconds' worth.
  const { size } = await stat(made);
  expect((size * 8) / (1 + 2)).toBeLessThan(1_050_000);
  expect(size).toBeLessThan((await stat(path)).size / 4);
  for (const track of ['video', 'audio'] as const) {
    expect(Math.abs((after[track]?.start ?? 9) - (before[track]?.start ?? 0))).toBeLessThan(IN_SYNC);
    expect(Math.abs((after[track]?.end ?? 9) - (before[track]?.end ?? 0))).toBeLessThan(IN_SYNC);
  }
  expect(after.video?.count).toBe(30);
  expect(await complaintsOn(made)).toBe('');
});

test('one that is small already is not made larger', { timeout: 60_000 }, async () => {
  const { outcome } = await madeOf(await film('upright.mp4', '270x480', 25));
  expect(outcome).toMatchObject({ made: { width: 270, height: 480 } });
});

test('it gives way to work that somebody waits for', { timeout: 60_000 }, async () => {
  const worker = createMediaWorker({ log: pino({ level: 'silent' }) });
  const path = await film('way.mp4', '1280x720', 30);
  const begun = Promise.withResolvers<void>();
  const course = { ...quiet(), progress: () => begun.resolve() };
  const light = worker.do({ what: 'light', path, made: join(folder(), 'way-light.mp4') }, course);
  const ended = light.then(
    () => 'made',
    (error: unknown) => error,
  );
  await begun.promise;
  const seen = await worker.do({ what: 'probe', kind: 'film', path }, quiet());
  expect(seen).toMatchObject({ seen: { duration: expect.closeTo(1, 1) as number } });
  expect(await ended).toBeInstanceOf(GaveWay);
  await worker.close();
});
