import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { complaintsOn, ffmpeg, readFilm } from '../support/ffmpeg.ts';
import { onBothEngines } from '../support/media-work.ts';

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

type Row = { name: string; args: string[]; covered?: boolean; kept?: boolean; as?: 'mp3' };
const SONGS: Row[] = [
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

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'songs-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

onBothEngines((carryOut) => {
  test.each(SONGS)('$name becomes a song for every phone', { timeout: 60_000 }, async (row) => {
    const { name, args, covered = false, kept = false, as } = row;
    const path = join(folder, name);
    const made = join(folder, `made-${name}`);
    await ffmpeg(...tone, ...(covered ? cover : []), ...args, '-metadata', 'location=+41.89+012.49/', path);
    const outcome = await carryOut({ what: 'song', path, made });
    expect(outcome).toMatchObject({ made: { extension: as ?? 'm4a', kept: { sound: kept } } });
    const { streams, audio } = await readFilm(made);
    expect(streams).toMatchObject([{ codec_name: as ?? 'aac', channels: name.startsWith('speex') ? 1 : 2 }]);
    const length = (audio?.end ?? 0) - Math.max(0, audio?.start ?? 0);
    expect(Math.abs(length - 2)).toBeLessThan(0.08);
    expect(await complaintsOn(made)).toBe('');
    expect((await readFile(made)).includes('41.89')).toBe(false);
  });
});
