import { ffmpeg } from './ffmpeg.ts';

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

/** Makes a song of the table, which tells where it was recorded. */
export async function makeSong({ args, covered = false }: Song, path: string): Promise<void> {
  await ffmpeg(...tone, ...(covered ? cover : []), ...args, '-metadata', 'location=+41.89+012.49/', path);
}
