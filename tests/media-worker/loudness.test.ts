import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg, heardIn, pictureHash, readFilm, soundBeginsAt } from '../support/ffmpeg.ts';
import { withWorker } from '../support/media-work.ts';

/** LUFS, and dBTP at most. */
const TARGET = -16;
const HIGHEST = -1;
/** Seconds. */
const IN_SYNC = 0.03;

let folder: string;
const at = (name: string) => join(folder, name);

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2'];
const sound = (source: string) => ['-f', 'lavfi', '-i', `${source},aformat=channel_layouts=stereo`];

/** A second of nothing, then a soft tone. */
const SOFT = "sine=frequency=997:duration=4:sample_rate=48000,volume=-19dB,volume='gte(t,1)':eval=frame";
/** A soft tone, and every second a clap of a thousandth of it. */
const CLAPS = "aevalsrc='0.03*sin(6283*t)+0.9*lt(mod(t,1),0.001)*sin(20000*t)':d=4:s=48000";
const LOUD = 'anoisesrc=duration=4:sample_rate=48000:amplitude=0.9';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loudness-'));
  const aac = ['-c:a', 'aac', '-b:a', '192k'];
  await Promise.all(
    Object.entries({ soft: SOFT, claps: CLAPS, loud: LOUD }).map(([name, source]) =>
      ffmpeg(...picture, ...sound(source), ...h264, ...aac, at(`${name}.mp4`)),
    ),
  );
  await ffmpeg(...picture, ...sound('anullsrc'), '-t', '4', ...h264, ...aac, at('silence.mp4'));
  await ffmpeg(...sound(SOFT), '-c:a', 'libmp3lame', at('soft.mp3'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const carryOut = withWorker();

const made = () => at('made');
const level = (name: string, kind: 'film' | 'song' = 'film', target = TARGET) =>
  carryOut({ what: 'level', kind, path: at(name), made: made(), target });

test('a film and a song tell how loud they are', { timeout: 60_000 }, async () => {
  for (const name of ['soft.mp4', 'loud.mp4', 'soft.mp3'] as const) {
    const heard = await heardIn(at(name));
    const work = { path: at(name), made: made() };
    const outcome = await (name.endsWith('3')
      ? carryOut({ what: 'song', ...work })
      : carryOut({ what: 'film', ...work }));
    expect(outcome).toMatchObject({
      made: {
        loudness: expect.closeTo(heard.loudness, 0) as number,
        peak: expect.closeTo(heard.peak, 0) as number,
      },
    });
  }
});

test('silence has no loudness, and can’t be levelled', { timeout: 60_000 }, async () => {
  const film = await carryOut({ what: 'film', path: at('silence.mp4'), made: made() });
  expect(film).toMatchObject({ made: { hasSound: true, loudness: null, peak: null } });
  expect(await level('silence.mp4')).toEqual({ refused: 'no_sound' });
});

test('a soft film becomes louder and stays the same otherwise', { timeout: 60_000 }, async () => {
  const path = at('soft.mp4');
  expect((await heardIn(path)).loudness).toBeLessThan(-36);
  const outcome = await level('soft.mp4');
  expect(outcome).toMatchObject({ made: { kept: { picture: true, sound: false }, extension: 'mp4' } });
  const heard = await heardIn(made());
  expect(Math.abs(heard.loudness - TARGET)).toBeLessThan(1);
  expect(heard.peak).toBeLessThanOrEqual(HIGHEST);
  expect(await pictureHash(made())).toBe(await pictureHash(path));
  expect(Math.abs((await soundBeginsAt(made())) - (await soundBeginsAt(path)))).toBeLessThan(IN_SYNC);
  const [before, after] = [await readFilm(path), await readFilm(made())];
  expect(after.video).toEqual(before.video);
  expect(Math.abs((after.audio?.end ?? 0) - (before.audio?.end ?? 0))).toBeLessThan(IN_SYNC);
  expect(await complaintsOn(made())).toBe('');
});

test('claps don’t keep a film soft, and are never too high', { timeout: 60_000 }, async () => {
  const before = await heardIn(at('claps.mp4'));
  await level('claps.mp4');
  const after = await heardIn(made());
  expect(after.loudness - before.loudness).toBeGreaterThan(5);
  expect(after.peak).toBeLessThanOrEqual(HIGHEST);
});

test('a loud film becomes softer, a soft song as loud as its film', { timeout: 60_000 }, async () => {
  await level('loud.mp4');
  expect(Math.abs((await heardIn(made())).loudness - TARGET)).toBeLessThan(1);
  expect(await level('soft.mp3', 'song', -20)).toMatchObject({ made: { extension: 'm4a' } });
  const song = await heardIn(made());
  expect(Math.abs(song.loudness + 20)).toBeLessThan(1);
  expect(song.peak).toBeLessThanOrEqual(HIGHEST);
});
