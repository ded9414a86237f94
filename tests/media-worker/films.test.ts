import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { createMediaWorker, Preempted } from '../../src/server/media-worker/worker.ts';
import { complaintsOn, ffmpeg, lookAt, loudnessIn, readFilm } from '../support/ffmpeg.ts';
import {
  apart,
  expectFilm,
  expectSameLook,
  expectSong,
  FILMS_OF_EVERY_WAY,
  SONGS_OF_EVERY_WAY,
  SOURCES,
  useFilms,
} from '../support/films.ts';
import { quiet, withWorker } from '../support/media-work.ts';

const { folder, filmOf } = useFilms();
const carryOut = withWorker();
const at = (name: string) => join(folder(), name);
const lavfi = (source: string) => ['-f', 'lavfi', '-i', source];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p'];

describe('conversion for every phone', () => {
  test.each(FILMS_OF_EVERY_WAY)('$name', async (row) => {
    await expectFilm(carryOut, row, await filmOf(row));
  });

  test.each(SONGS_OF_EVERY_WAY)('$name', async (row) => {
    await expectSong(carryOut, row, folder());
  });

  test.each([
    { codec: 'libx264', degrees: 270, keeps: true },
    { codec: 'libx265', degrees: 90, keeps: false },
  ])(
    'turns a film of $codec that is rotated by $degrees° upright, like its poster',
    async ({ codec, degrees, keeps }) => {
      const [flat, path, made, jpeg] = [at('flat.mp4'), at('turned.mp4'), at('made.mp4'), at('made.jpg')];
      const quietly = codec === 'libx265' ? ['-x265-params', 'log-level=error', '-tag:v', 'hvc1'] : [];
      const coding = ['-c:v', codec, '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', ...quietly];
      await ffmpeg(...SOURCES, ...coding, '-c:a', 'aac', flat);
      await ffmpeg('-i', flat, '-c', 'copy', '-metadata:s:v:0', `rotate=${degrees}`, path);
      expect(await carryOut({ task: 'film', path, output: made })).toMatchObject({
        output: { width: 240, height: 320, kept: { picture: keeps } },
      });
      await expectSameLook(path, made);
      const poster = await carryOut({ task: 'poster', path: made, output: jpeg, second: 1 });
      expect(poster).toMatchObject({ output: { width: 240, height: 320, extension: 'jpg' } });
      expect(apart(await lookAt(path, 0.6), await lookAt(jpeg, 0))).toBeLessThan(30);
    },
  );

  test('keeps the length of a film trimmed at its end', async () => {
    const [path, made] = [at('trimmed.mp4'), at('made-trimmed.mp4')];
    // At 30 pictures per second the cut pictures that others need are short enough to be copied.
    const sources = [...lavfi('testsrc2=size=320x240:rate=30:duration=4'), ...lavfi('sine=duration=4')];
    await ffmpeg(...sources, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path);
    const bytes = await readFile(path);
    // Each edit shows only 2,000 thousandths of a second.
    for (let edit = bytes.indexOf('elst'); edit !== -1; edit = bytes.indexOf('elst', edit + 4))
      bytes.writeUInt32BE(2_000, edit + 12);
    await writeFile(path, bytes);
    const result = await carryOut({ task: 'film', path, output: made });
    expect(result).toMatchObject({ output: { duration: expect.closeTo(2, 1) as number } });
    const { video, audio } = await readFilm(made);
    expect(video?.end).toBeLessThan(2.1);
    expect(audio?.end).toBeLessThan(2.1);
    expect((await stat(made)).size).toBeLessThan(0.75 * (await stat(path)).size);
  });
});

test('reports the loudness of films and songs, and null for silence', async () => {
  const soft = "sine=frequency=997:duration=4:sample_rate=48000,volume=-19dB,volume='gte(t,1)':eval=frame";
  const files = {
    'soft.mp4': soft,
    'loud.mp4': 'anoisesrc=duration=4:sample_rate=48000:amplitude=0.9',
    'silence.mp4': 'anullsrc=duration=4',
    'soft.mp3': soft,
  };
  for (const [name, source] of Object.entries(files)) {
    const [path, isSong] = [at(name), name.endsWith('3')];
    const picture = isSong ? [] : lavfi('testsrc2=size=320x240:rate=25:duration=4');
    const coding = isSong ? ['-c:a', 'libmp3lame'] : [...h264, '-c:a', 'aac', '-b:a', '192k'];
    await ffmpeg(...picture, ...lavfi(`${source},aformat=channel_layouts=stereo`), ...coding, path);
    const loudness = name.startsWith('silence')
      ? null
      : (expect.closeTo(await loudnessIn(path), 0) as number);
    const result = await carryOut({ task: isSong ? 'song' : 'film', path, output: at('made') });
    expect(result, name).toMatchObject({ output: { hasSound: true, loudness } });
  }
});

describe('light film', () => {
  /** Creates a stored film that is hard to compress: noise over a moving picture. */
  async function film(name: string, size: string, rate: number): Promise<string> {
    const picture = `testsrc2=size=${size}:rate=${rate}:duration=1,noise=alls=30:allf=t`;
    const sources = [...lavfi(picture), ...lavfi('sine=duration=1:sample_rate=48000')];
    await ffmpeg(...sources, '-ac', '2', ...h264, '-c:a', 'aac', '-b:a', '160k', at(name));
    return at(name);
  }

  test('is as long as the film and in sync with it', async () => {
    const [path, made] = [await film('large.mp4', '1280x720', 60), at('light.mp4')];
    const result = await carryOut({ task: 'light', path, output: made });
    const [before, after] = [await readFilm(path), await readFilm(made)];
    expect(result).toMatchObject({ output: { width: 960, height: 540, hasSound: true, extension: 'mp4' } });
    expect(after.streams).toMatchObject([
      { codec_name: 'h264', profile: 'High', width: 960, height: 540 },
      { codec_name: 'aac', profile: 'LC', channels: 2 },
    ]);
    // The bits per second, over the film's one second and two seconds of buffer.
    const { size } = await stat(made);
    expect((size * 8) / (1 + 2)).toBeLessThan(1_050_000);
    expect(size).toBeLessThan((await stat(path)).size / 4);
    for (const track of ['video', 'audio'] as const) {
      expect(Math.abs((after[track]?.start ?? 9) - (before[track]?.start ?? 0))).toBeLessThan(0.08);
      expect(Math.abs((after[track]?.end ?? 9) - (before[track]?.end ?? 0))).toBeLessThan(0.08);
    }
    expect(after.video?.count).toBe(30);
    expect(await complaintsOn(made)).toBe('');
  });

  test('is no larger than a small film', async () => {
    const path = await film('upright.mp4', '270x480', 25);
    const result = await carryOut({ task: 'light', path, output: at('light.mp4') });
    expect(result).toMatchObject({ output: { width: 270, height: 480 } });
  });

  test('is preempted by a task that a user waits for', async () => {
    const worker = createMediaWorker({ log: pino({ level: 'silent' }) });
    const path = await film('way.mp4', '1280x720', 30);
    const begun = Promise.withResolvers<void>();
    const course = { ...quiet(), progress: () => begun.resolve() };
    const light = worker.run({ task: 'light', path, output: at('way-light.mp4') }, course);
    const ended = light.catch((error: unknown) => error);
    await begun.promise;
    const seen = await worker.run({ task: 'probe', kind: 'film', path }, quiet());
    expect(seen).toMatchObject({ seen: { duration: expect.closeTo(1, 1) as number } });
    expect(await ended).toBeInstanceOf(Preempted);
    await worker.close();
  });
});
