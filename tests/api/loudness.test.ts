import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import { call } from '../support/http.ts';
import { useSignedUp } from '../support/suites.ts';
import { upload } from '../support/uploads.ts';

const { to } = useSignedUp();

const list = async (slot: string): Promise<MediaItem[]> =>
  (await call(to.url, 'GET', `/admin/media/${slot}`, undefined, { cookie: to.cookie })).body;
const warningsOf = async (slot: string) => (await list(slot))[0]?.warnings;

let folder: string;
const at = (name: string) => join(folder, name);
const tone = (dB: number) => ['-f', 'lavfi', '-i', `sine=duration=2:sample_rate=48000,volume=${dB}dB`];
const picture = ['-f', 'lavfi', '-i', 'testsrc2=size=160x120:rate=25:duration=2'];
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p'];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loudness-'));
  await ffmpeg(...picture, ...tone(-20), ...h264, at('soft.mp4'));
  await ffmpeg(...picture, ...tone(5), ...h264, at('usual.mp4'));
  await ffmpeg(...tone(-20), at('soft.mp3'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a soft song is judged by itself, and held against the film once there is one', async () => {
  const song = await upload(to, 'canzone', at('soft.mp3'));
  expect(song.body.item.warnings).toEqual(['TOO_QUIET']);
  const film = await upload(to, 'video', at('usual.mp4'));
  expect(film.body.item).toMatchObject({ attivo: true, warnings: [] });
  expect(await warningsOf('canzone')).toEqual(['QUIETER_THAN_FILM']);
  const soft = await upload(to, 'video', at('soft.mp4'));
  expect(soft.body.item).toMatchObject({ attivo: false, warnings: ['TOO_QUIET'] });
});
