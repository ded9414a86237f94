import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { complaintsOn, ffmpeg, readFilm } from './ffmpeg.ts';
import type { withWorker } from './media-work.ts';

const tone = [
  '-f',
  'lavfi',
  '-i',
  'sine=frequency=440:duration=2:sample_rate=44100,aformat=channel_layouts=stereo',
];
const cover = ['-f', 'lavfi', '-i', 'color=red:size=64x64:duration=1:rate=1'];
const withCover = [
  '-map',
  '0',
  '-map',
  '1',
  '-c:v',
  'png',
  '-disposition:v',
  'attached_pic',
  '-frames:v',
  '1',
];

/** A song, and how FFmpeg makes it. */
type Song = { name: string; args: string[]; covered?: boolean; kept?: boolean; as?: 'mp3' };
/** Songs of every kind; two seconds each. */
export const SONGS: Song[] = [
  { name: 'wave.wav', args: ['-c:a', 'pcm_s16le'] },
  { name: 'apple.aiff', args: ['-c:a', 'pcm_s16be'] },
  { name: 'core.caf', args: ['-c:a', 'pcm_s24le'] },
  { name: 'flac.flac', args: [...withCover, '-c:a', 'flac'], covered: true },
  { name: 'apple-lossless.m4a', args: ['-c:a', 'alac'] },
  { name: 'message.opus', args: ['-c:a', 'libopus'] },
  { name: 'vorbis.ogg', args: ['-c:a', 'libvorbis'] },
  { name: 'speex.ogg', args: ['-c:a', 'libspeex', '-ar', '16000', '-ac', '1'] },
  { name: 'windows.wma', args: ['-c:a', 'wmav2'] },
  { name: 'dolby.ac3', args: ['-c:a', 'ac3'] },
  { name: 'dolby-plus.eac3', args: ['-c:a', 'eac3'] },
  { name: 'plain.mp3', args: ['-c:a', 'libmp3lame'], kept: true, as: 'mp3' },
  { name: 'covered.mp3', args: [...withCover, '-c:a', 'libmp3lame'], covered: true, kept: true, as: 'mp3' },
  { name: 'stream.aac', args: ['-c:a', 'aac'], kept: true },
  { name: 'itunes.m4a', args: [...withCover, '-c:a', 'aac'], covered: true, kept: true },
];

/** Those that `npm test` makes: one that is kept of each kind, and some that are made anew. */
const EVERY_WAY = new Set(['wave.wav', 'flac.flac', 'message.opus', 'covered.mp3', 'itunes.m4a']);
export const SONGS_OF_EVERY_WAY = SONGS.filter(({ name }) => EVERY_WAY.has(name));
/** The others: for the long tests. */
export const OTHER_SONGS = SONGS.filter(({ name }) => !EVERY_WAY.has(name));

/** A row of the table becomes a song for every phone. */
export async function expectSong(carryOut: ReturnType<typeof withWorker>, row: Song, folder: string) {
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
}

/** Makes a song of the table, which tells where it was recorded. */
export async function makeSong({ args, covered = false }: Song, path: string): Promise<void> {
  await ffmpeg(...tone, ...(covered ? cover : []), ...args, '-metadata', 'location=+41.89+012.49/', path);
}
