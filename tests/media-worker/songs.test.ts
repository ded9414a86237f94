import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ffmpeg } from '../support/ffmpeg.ts';
import { withWorker } from '../support/media-work.ts';
import { expectSong, SONGS_OF_EVERY_WAY } from '../support/song-table.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'songs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const carryOut = withWorker();

test.each(SONGS_OF_EVERY_WAY)('$name becomes a song for every phone', { timeout: 60_000 }, (row) =>
  expectSong(carryOut, row, folder),
);

test('what broke off just after its beginning is no song', async () => {
  const path = join(folder, 'begun.wav');
  await ffmpeg('-f', 'lavfi', '-i', 'sine=d=0.1', path);
  expect(await carryOut({ what: 'song', path, made: join(folder, 'made') })).toEqual({
    refused: 'cut_short',
  });
});
