import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg, readFilm } from '../support/ffmpeg.ts';
import { ofLong } from '../support/long.ts';
import { withWorker } from '../support/media-work.ts';
import { makeSong, SONGS } from '../support/song-table.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'songs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** All of them among the long tests. */
const SOME = SONGS.filter((_, at) => at % 2 === 0);

const carryOut = withWorker();

test.each(ofLong(SONGS, SOME))('$name becomes a song for every phone', { timeout: 60_000 }, async (row) => {
  const { name, kept = false, as } = row;
  const path = join(folder, name);
  const made = join(folder, `made-${name}`);
  await makeSong(row, path);
  const outcome = await carryOut({ what: 'song', path, made });
  expect(outcome).toMatchObject({ made: { extension: as ?? 'm4a', kept: { sound: kept } } });
  const { streams, audio } = await readFilm(made);
  expect(streams).toMatchObject([{ codec_name: as ?? 'aac', channels: name.startsWith('speex') ? 1 : 2 }]);
  const length = (audio?.end ?? 0) - Math.max(0, audio?.start ?? 0);
  expect(Math.abs(length - 2)).toBeLessThan(0.08);
  expect(await complaintsOn(made)).toBe('');
  expect((await readFile(made)).includes('41.89')).toBe(false);
});

test('what broke off just after its beginning is no song', async () => {
  const path = join(folder, 'begun.wav');
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.1', path);
  expect(await carryOut({ what: 'song', path, made: join(folder, 'made') })).toEqual({
    refused: 'cut_short',
  });
});
