import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withWorker } from '../support/media-work.ts';
import { MEDIA } from '../support/uploads.ts';

/** A stored file is decoded from its first byte to its last. */

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sorpresa-whole-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const WHOLE = { whole: true };
const FILES = [
  ['good.mp4', 'sounding'],
  ['silent.mp4', 'sounding'],
  ['song.m4a', 'sounding'],
  ['../song.mp3', 'sounding'],
  ['../picture.jpg', 'picture'],
  ['../ticket.png', 'picture'],
] as const;

const carryOut = withWorker();

test.each(FILES)('%s is whole', async (name, kind) => {
  expect(await carryOut({ what: 'whole', kind, path: join(MEDIA, name) })).toEqual(WHOLE);
});

test.each(FILES)('half of %s isn’t', async (name, kind) => {
  const bytes = readFileSync(join(MEDIA, name));
  const path = join(folder, name.replaceAll(/\W/g, ''));
  // An MP3 goes on for as long as there is something: noise has to stand where its sound was.
  const half = name.endsWith('.mp3') ? Buffer.from('x'.repeat(4_000)) : bytes.subarray(0, bytes.length >> 1);
  await writeFile(path, half);
  expect(await carryOut({ what: 'whole', kind, path })).toHaveProperty('refused');
});
