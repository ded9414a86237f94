import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { complaintsOn, ffmpeg, lookAt, readFilm } from '../support/ffmpeg.ts';
import { FILMS, type Row, SOURCES } from '../support/film-table.ts';
import { useFilms } from '../support/films.ts';
import { ofLong } from '../support/long.ts';
import { withWorker } from '../support/media-work.ts';

/** Apart from the original by at most so much (seconds). */
const IN_SYNC = 0.08;

const { folder, filmOf } = useFilms();

const TURNED = [
  { codec: 'libx264', degrees: 90, keeps: true },
  { codec: 'libx264', degrees: 270, keeps: true },
  { codec: 'libx265', degrees: 90, keeps: false },
  { codec: 'libx265', degrees: 270, keeps: false },
];

async function turned({ codec, degrees }: (typeof TURNED)[number]): Promise<string> {
  const [flat, path] = [join(folder(), 'flat.mp4'), join(folder(), `turned-${codec}-${degrees}.mp4`)];
  const quietly = codec === 'libx265' ? ['-x265-params', 'log-level=error', '-tag:v', 'hvc1'] : [];
  await ffmpeg(...SOURCES, '-c:v', codec, '-pix_fmt', 'yuv420p', ...quietly, '-c:a', 'aac', flat);
  await ffmpeg('-i', flat, '-c', 'copy', '-metadata:s:v:0', `rotate=${degrees}`, path);
  return path;
}

/** A film of four seconds of which its edits show two: from 0 to 2, as an editor trims it. */
async function trimmed(rate: number): Promise<string> {
  const path = join(folder(), `trimmed-${rate}.mp4`);
  const source = [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=320x240:rate=${rate}:duration=4`,
    '-f',
    'lavfi',
    '-i',
    'sine=duration=4',
  ];
  await ffmpeg(...source, '-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-c:a', 'aac', path);
  const bytes = await readFile(path);
  // An edit: how long it is, in thousandths of a second.
  for (let at = bytes.indexOf('elst'); at !== -1; at = bytes.indexOf('elst', at + 4))
    bytes.writeUInt32BE(2_000, at + 12);
  await writeFile(path, bytes);
  return path;
}

/** One film of every way that is gone; the whole table is for the long tests. */
const EVERY_WAY = new Set([
  'b-frames.mp4',
  'fragments.mp4',
  'h264.ts',
  'silent.mp4',
  'six-channels.mp4',
  'level-5.1.mp4',
  'late-sound.mp4',
  'chapters-text.mkv',
  'hevc-hlg.mov',
  'vp9-opus.webm',
  'wide-pixels.mp4',
  'interlaced.mp4',
]);
const SOME = FILMS.filter(({ name }) => EVERY_WAY.has(name));

const carryOut = withWorker();

test.each(ofLong(FILMS, SOME))('$name becomes a film for every phone', { timeout: 120_000 }, async (row) => {
  const path = await filmOf(row);
  const made = join(folder(), `made-${row.name}.mp4`);
  const outcome = await carryOut({ what: 'film', path, made });
  const keeps = { picture: row.keeps?.picture ?? false, sound: row.keeps?.sound ?? false };
  expect(outcome).toMatchObject({ made: { kept: keeps, hasSound: row.silent !== true } });
  await expectPlain(made, row);
  await expectSameTimes(path, made, row);
  await expectSameLook(path, made, row);
  await expectKept(path, made, keeps);
});

test.each(ofLong(TURNED, TURNED.slice(1, 3)))(
  'a film of $codec that is turned by $degrees° is shown upright, and so is its poster',
  { timeout: 60_000 },
  async (row) => {
    const path = await turned(row);
    const made = join(folder(), 'made-turned.mp4');
    const outcome = await carryOut({ what: 'film', path, made });
    expect(outcome).toMatchObject({ made: { width: 240, height: 320, kept: { picture: row.keeps } } });
    await expectSameLook(path, made, { name: 'turned', args: [] });
    const jpeg = join(folder(), 'made-turned.jpg');
    const poster = await carryOut({ what: 'poster', path: made, made: jpeg, second: 1 });
    expect(poster).toMatchObject({ made: { width: 240, height: 320, extension: 'jpg' } });
    expect(apart(await lookAt(path, 0.6), await lookAt(jpeg, 0))).toBeLessThan(30);
  },
);

// At 30 pictures a second what is cut away but needed by others is short enough to stay.
test.each([25, 30])(
  'a film that is trimmed at its end (%i a second) stays so',
  { timeout: 60_000 },
  async (rate) => {
    const path = await trimmed(rate);
    const made = join(folder(), 'made-trimmed.mp4');
    const outcome = await carryOut({ what: 'film', path, made });
    expect(outcome).toMatchObject({ made: { duration: expect.closeTo(2, 1) as number } });
    const { video, audio } = await readFilm(made);
    expect(video?.end).toBeLessThan(2.1);
    expect(audio?.end).toBeLessThan(2.1);
    expect((await stat(made)).size).toBeLessThan(0.75 * (await stat(path)).size);
  },
);

async function expectPlain(made: string, row: Row) {
  const { streams, chapters } = await readFilm(made);
  const [video, audio, ...others] = streams;
  const [width, height] = row.size ?? [320, 240];
  expect(video).toMatchObject({ codec_type: 'video', codec_name: 'h264', width, height });
  expect(['yuv420p', 'yuvj420p']).toContain(video?.pix_fmt);
  expect(['1:1', undefined]).toContain(video?.sample_aspect_ratio);
  expect(video?.level).toBeLessThanOrEqual(42);
  if (row.silent === true) expect(audio).toBeUndefined();
  else expect(audio).toMatchObject({ codec_type: 'audio', codec_name: 'aac', profile: 'LC' });
  expect(audio?.channels ?? 0).toBeLessThanOrEqual(2);
  expect([others, chapters]).toEqual([[], []]);
  expect(await complaintsOn(made)).toBe('');
  const bytes = await readFile(made);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  expect(bytes.includes('41.89')).toBe(false);
}

/** Both tracks begin and end when they did, counted from the film's first moment; and no picture is lost. */
async function expectSameTimes(path: string, made: string, row: Row) {
  const [old, fresh] = [await readFilm(path), await readFilm(made)];
  const zero = (film: typeof old) => Math.min(film.video?.start ?? 0, film.audio?.start ?? Infinity);
  expect(Math.abs(zero(fresh))).toBeLessThan(IN_SYNC);
  for (const track of ['video', 'audio'] as const) {
    const [was, is] = [old[track], fresh[track]];
    if (was === null) continue;
    expect(Math.abs((is?.start ?? Infinity) - zero(fresh) - (was.start - zero(old)))).toBeLessThan(IN_SYNC);
    expect(Math.abs((is?.end ?? Infinity) - zero(fresh) - (was.end - zero(old)))).toBeLessThan(IN_SYNC);
  }
  if (row.thinned === true) expect(fresh.video?.count).toBeLessThanOrEqual(61);
  else expect(fresh.video?.count).toBe(old.video?.count);
}

async function expectSameLook(path: string, made: string, { hdr = false }: Row) {
  const [was, is] = [await lookAt(path, 0.6), await lookAt(made, 0.6)];
  expect(is.length).toBe(was.length);
  // HDR is meant to look otherwise: only not black, and not turned upside down.
  expect(apart(was, is)).toBeLessThan(hdr ? 60 : 12);
}

const apart = (was: Buffer, is: Buffer) =>
  was.reduce((sum, value, at) => sum + Math.abs(value - (is[at] ?? 0)), 0) / was.length;

async function expectKept(path: string, made: string, keeps: { picture: boolean; sound: boolean }) {
  const [old, fresh] = [await readFilm(path), await readFilm(made)];
  // A transport stream packs the same bytes in other words, and a level that is told anew is a few bits in the first picture.
  if (keeps.picture && !/\.ts$|level/.test(path))
    expect(fresh.hashesOf('video')).toEqual(old.hashesOf('video'));
  if (keeps.sound && !path.endsWith('.ts')) expect(fresh.hashesOf('audio')).toEqual(old.hashesOf('audio'));
}
