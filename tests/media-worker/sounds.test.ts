import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg, pictureHash, readFilm, soundBeginsAt } from '../support/ffmpeg.ts';
import { ofLong } from '../support/long.ts';
import { withWorker } from '../support/media-work.ts';

/** Seconds. */
const IN_SYNC = 0.08;

let folder: string;
const at = (name: string) => join(folder, name);

const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=25:duration=4'];
/** Nothing until this second, then a tone. */
const from = (second: number, layout = 'stereo') => [
  '-f',
  'lavfi',
  '-i',
  `sine=frequency=997:duration=4:sample_rate=48000,volume='gte(t,${second})':eval=frame,aformat=channel_layouts=${layout}`,
];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-bf', '2'];
const all = ['-map', '0', '-map', '1', '-map', '2', '-map', '3'];
const named = [
  '-metadata:s:a:0',
  'language=ita',
  '-metadata:s:a:1',
  'language=eng',
  '-metadata:s:a:1',
  'title=Commento',
];
const FILMS = ['three.mkv', 'three.mp4', 'three.ts'];
/** The second at which each of the sounds begins. */
const BEGINS = [1, 2, 3];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sounds-'));
  const sources = [...picture, ...from(1), ...from(2, '5.1'), ...from(3, 'mono')];
  const kinds = ['-c:a:0', 'aac', '-c:a:1', 'ac3', '-c:a:2', 'flac'];
  await ffmpeg(...sources, ...all, ...h264, ...kinds, ...named, at('three.mkv'));
  const aac = ['-c:a', 'aac'];
  await ffmpeg(...sources, ...all, ...h264, ...aac, ...named, at('three.mp4'));
  // Its clock begins somewhere.
  await ffmpeg(...sources, ...all, ...h264, ...aac, ...named, '-output_ts_offset', '900', at('three.ts'));
  await ffmpeg(...picture, ...from(1), ...h264, ...aac, at('one.mp4'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const carryOut = withWorker();

const film = (path: string) => carryOut({ what: 'film', path, made: at('film.mp4'), sound: null });
const sounds = (path: string) => carryOut({ what: 'sounds', path, made: at('sounds.mp4'), sound: null });
const dub = (place: number) =>
  carryOut({ what: 'dub', path: at('film.mp4'), sounds: at('sounds.mp4'), place, made: at('dubbed.mp4') });

test('a film tells its sounds, and what they are called', { timeout: 60_000 }, async () => {
  expect(await film(at('three.mkv'))).toMatchObject({
    made: {
      sound: 1,
      sounds: [
        { track: 1, language: 'ita', title: null, channels: 2 },
        { track: 2, language: 'eng', title: 'Commento', channels: 6 },
        { track: 3, title: null, channels: 1 },
      ],
    },
  });
  expect(await sounds(at('three.mkv'))).toMatchObject({
    sounds: [{ track: 1 }, { track: 2, title: 'Commento' }, { track: 3 }],
  });
  const { streams } = await readFilm(at('sounds.mp4'));
  expect(streams.map(({ codec_name, channels }) => [codec_name, channels])).toEqual([
    ['aac', 2],
    ['aac', 2],
    ['aac', 1],
  ]);
});

test('of one sound there is nothing to choose', { timeout: 60_000 }, async () => {
  expect(await sounds(at('one.mp4'))).toEqual({ refused: 'no_sound' });
});

test.each(ofLong(FILMS, FILMS.slice(0, 2)))(
  '%s gets each of its sounds at its time, and its picture stays bit for bit',
  { timeout: 90_000 },
  async (name) => {
    await film(at(name));
    await sounds(at(name));
    const before = await pictureHash(at('film.mp4'));
    const usual = await soundBeginsAt(at('film.mp4'));
    expect(Math.abs(usual - 1)).toBeLessThan(IN_SYNC);
    for (const [place, second] of BEGINS.entries()) {
      expect(await dub(place)).toMatchObject({ made: { kept: { picture: true }, extension: 'mp4' } });
      expect(Math.abs((await soundBeginsAt(at('dubbed.mp4'))) - second)).toBeLessThan(IN_SYNC);
      expect(await pictureHash(at('dubbed.mp4'))).toBe(before);
      expect(await complaintsOn(at('dubbed.mp4'))).toBe('');
      const [old, fresh] = [await readFilm(at('film.mp4')), await readFilm(at('dubbed.mp4'))];
      expect(fresh.video).toEqual(old.video);
      expect(Math.abs((fresh.audio?.end ?? 0) - (old.audio?.end ?? 0))).toBeLessThan(IN_SYNC);
    }
  },
);

test('a sound that was kept comes back as it was, and what isn’t there is refused', {
  timeout: 60_000,
}, async () => {
  await film(at('three.mp4'));
  await sounds(at('three.mp4'));
  await dub(0);
  const [old, fresh] = [await readFilm(at('film.mp4')), await readFilm(at('dubbed.mp4'))];
  expect(fresh.hashesOf('audio')).toEqual(old.hashesOf('audio'));
  expect(await dub(9)).toEqual({ refused: 'no_sound' });
});
