import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { complaintsOn, ffmpeg, readFilm } from './ffmpeg.ts';
import type { Do } from './media-work.ts';

/** Songs of every kind; two seconds each. `kept` is the extension of one that is taken over as it is. */
type Song = { name: string; args: string; kept?: 'm4a' | 'mp3' };

const TONE = '-f lavfi -i sine=frequency=440:duration=2:sample_rate=44100,aformat=channel_layouts=stereo';
const COVER = '-f lavfi -i color=red:size=64x64:duration=1:rate=1';
/** With a picture of its cover. */
const covered = '-map 0 -map 1 -c:v png -disposition:v attached_pic -frames:v 1';

/** For `npm test`: one that is kept of each kind, and one that is made anew. */
export const SONGS_OF_EVERY_WAY: Song[] = [
  { name: 'flac.flac', args: `${covered} -c:a flac` },
  { name: 'covered.mp3', args: `${covered} -c:a libmp3lame`, kept: 'mp3' },
  { name: 'itunes.m4a', args: `${covered} -c:a aac`, kept: 'm4a' },
];

/** The others, for the long tests. */
export const OTHER_SONGS: Song[] = [
  { name: 'wave.wav', args: '-c:a pcm_s16le' },
  { name: 'apple.aiff', args: '-c:a pcm_s16be' },
  { name: 'core.caf', args: '-c:a pcm_s24le' },
  { name: 'apple-lossless.m4a', args: '-c:a alac' },
  { name: 'message.opus', args: '-c:a libopus' },
  { name: 'vorbis.ogg', args: '-c:a libvorbis' },
  { name: 'speex.ogg', args: '-c:a libspeex -ar 16000 -ac 1' },
  { name: 'windows.wma', args: '-c:a wmav2' },
  { name: 'dolby.ac3', args: '-c:a ac3' },
  { name: 'dolby-plus.eac3', args: '-c:a eac3' },
  { name: 'plain.mp3', args: '-c:a libmp3lame', kept: 'mp3' },
  { name: 'stream.aac', args: '-c:a aac', kept: 'm4a' },
];

/** A row of the table, which tells where it was recorded, becomes a song for every phone; it lies beside it: its path. */
export async function expectSong(carryOut: Do, { name, args, kept }: Song, folder: string): Promise<string> {
  const extension = kept ?? 'm4a';
  const path = join(folder, name);
  const made = `${path}.made.${extension}`;
  const sources = args.startsWith(covered) ? `${TONE} ${COVER}` : TONE;
  await ffmpeg(...`${sources} ${args} -metadata location=+41.89+012.49/`.split(' '), path);
  const outcome = await carryOut({ what: 'song', path, made });
  expect(outcome).toMatchObject({ made: { extension, kept: { sound: kept !== undefined } } });
  const { streams, audio } = await readFilm(made);
  const codec_name = extension === 'mp3' ? 'mp3' : 'aac';
  expect(streams).toMatchObject([{ codec_name, channels: name.startsWith('speex') ? 1 : 2 }]);
  const length = (audio?.end ?? 0) - Math.max(0, audio?.start ?? 0);
  expect(Math.abs(length - 2)).toBeLessThan(0.08);
  expect(await complaintsOn(made)).toBe('');
  expect((await readFile(made)).includes('41.89')).toBe(false);
  return made;
}
