import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { complaintsOn, lookAt, readFilm } from './ffmpeg.ts';
import type { Row } from './film-table.ts';
import type { withWorker } from './media-work.ts';

/** Apart from the original by at most so much (seconds). */
const IN_SYNC = 0.08;

/** A row of the table becomes a film for every phone; what is made lies beside it. */
export async function expectFilm(carryOut: ReturnType<typeof withWorker>, row: Row, path: string) {
  const made = `${path}.made.mp4`;
  const outcome = await carryOut({ what: 'film', path, made });
  const keeps = { picture: row.keeps?.picture ?? false, sound: row.keeps?.sound ?? false };
  expect(outcome).toMatchObject({ made: { kept: keeps, hasSound: row.silent !== true } });
  await expectPlain(made, row);
  await expectSameTimes(path, made, row);
  await expectSameLook(path, made, row);
  await expectKept(path, made, keeps);
}

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

export async function expectSameLook(path: string, made: string, { hdr = false }: Row) {
  const [was, is] = [await lookAt(path, 0.6), await lookAt(made, 0.6)];
  expect(is.length).toBe(was.length);
  // HDR is meant to look otherwise: only not black, and not turned upside down.
  expect(apart(was, is)).toBeLessThan(hdr ? 60 : 12);
}

export const apart = (was: Buffer, is: Buffer) =>
  was.reduce((sum, value, at) => sum + Math.abs(value - (is[at] ?? 0)), 0) / was.length;

async function expectKept(path: string, made: string, keeps: { picture: boolean; sound: boolean }) {
  const [old, fresh] = [await readFilm(path), await readFilm(made)];
  // A transport stream packs the same bytes in other words, and a level that is told anew is a few bits in the first picture.
  if (keeps.picture && !/\.ts$|level/.test(path))
    expect(fresh.hashesOf('video')).toEqual(old.hashesOf('video'));
  if (keeps.sound && !path.endsWith('.ts')) expect(fresh.hashesOf('audio')).toEqual(old.hashesOf('audio'));
}
