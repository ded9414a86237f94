import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ffmpeg, loudnessIn } from '../support/ffmpeg.ts';
import { withWorker } from '../support/media-work.ts';

let folder: string;
const at = (name: string) => join(folder, name);

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2'];
const sound = (source: string) => ['-f', 'lavfi', '-i', `${source},aformat=channel_layouts=stereo`];

/** A second of nothing, then a soft tone. */
const SOFT = "sine=frequency=997:duration=4:sample_rate=48000,volume=-19dB,volume='gte(t,1)':eval=frame";
const LOUD = 'anoisesrc=duration=4:sample_rate=48000:amplitude=0.9';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loudness-'));
  const aac = ['-c:a', 'aac', '-b:a', '192k'];
  await Promise.all(
    Object.entries({ soft: SOFT, loud: LOUD }).map(([name, source]) =>
      ffmpeg(...picture, ...sound(source), ...h264, ...aac, at(`${name}.mp4`)),
    ),
  );
  await ffmpeg(...picture, ...sound('anullsrc'), '-t', '4', ...h264, ...aac, at('silence.mp4'));
  await ffmpeg(...sound(SOFT), '-c:a', 'libmp3lame', at('soft.mp3'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const carryOut = withWorker();

const made = () => at('made');

test('a film and a song tell how loud they are', { timeout: 60_000 }, async () => {
  for (const name of ['soft.mp4', 'loud.mp4', 'soft.mp3'] as const) {
    const heard = await loudnessIn(at(name));
    const work = { path: at(name), made: made() };
    const outcome = await (name.endsWith('3')
      ? carryOut({ what: 'song', ...work })
      : carryOut({ what: 'film', ...work }));
    expect(outcome).toMatchObject({
      made: { loudness: expect.closeTo(heard, 0) as number },
    });
  }
});

test('silence has no loudness', { timeout: 60_000 }, async () => {
  const film = await carryOut({ what: 'film', path: at('silence.mp4'), made: made() });
  expect(film).toMatchObject({ made: { hasSound: true, loudness: null } });
});
