import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ffmpeg, lookAt, readFilm } from '../support/ffmpeg.ts';
import { apart, expectFilm, expectSameLook } from '../support/film-checks.ts';
import { FILMS_OF_EVERY_WAY, SOURCES } from '../support/film-table.ts';
import { useFilms } from '../support/films.ts';
import { withWorker } from '../support/media-work.ts';

const { folder, filmOf } = useFilms();

const TURNED = [
  { codec: 'libx264', degrees: 270, keeps: true },
  { codec: 'libx265', degrees: 90, keeps: false },
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

const carryOut = withWorker();

test.each(FILMS_OF_EVERY_WAY)('$name becomes a film for every phone', { timeout: 120_000 }, async (row) => {
  await expectFilm(carryOut, row, await filmOf(row));
});

test.each(TURNED)(
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
