import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { complaintsOn, ffmpeg, lookAt, readFilm } from './ffmpeg.ts';
import type { Do } from './media-work.ts';

/** Films from phones, cameras, editors and messengers, two seconds each, with their expected conversion. */

/** Tracks that must be copied bit for bit. */
type Kept = 'both' | 'picture' | 'sound' | 'nothing';
type Film = {
  name: string;
  kept: Kept;
  /** Arguments of FFmpeg between its sources and the file. */
  args: string;
  from: string;
  /** Displayed size. */
  size: [number, number];
  /** Without sound; with colours changed on purpose; with frames dropped. */
  is?: 'silent' | 'hdr' | 'thinned';
};

const lavfi = (source: string) => `-f lavfi -i ${source}`;
const picture = (size = '320x240', rate = 25, seconds = 2) =>
  lavfi(`testsrc2=size=${size}:rate=${rate}:duration=${seconds}`);
const tone = (layout = 'stereo', seconds = 2) =>
  lavfi(`sine=frequency=440:duration=${seconds}:sample_rate=48000,aformat=channel_layouts=${layout}`);
/** A moving picture and a tone. */
const USUAL = `${picture()} ${tone()}`;
/** Splits a command line of FFmpeg. */
const words = (text: string) => text.split(' ');
export const SOURCES = words(USUAL);

const h264 = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -bf 0';
const aac = '-c:a aac -b:a 64k';
const hevc = '-c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1';
const hdr = `${hevc} -pix_fmt yuv420p10le -color_primaries bt2020 -colorspace bt2020nc`;

const PLACE = 'com.apple.quicktime.location.ISO6709=+41.8902+012.4922/';

const film = (name: string, kept: Kept, args: string, more: Partial<Film> = {}): Film => ({
  name,
  kept,
  args,
  from: USUAL,
  size: [320, 240],
  ...more,
});

/**
 * One film per kind of conversion, for `npm test`: copied, with offset and dropped tracks, HDR, encoded again,
 * interlaced.
 */
export const FILMS_OF_EVERY_WAY: Film[] = [
  film('b-frames.mp4', 'both', `-c:v libx264 -pix_fmt yuv420p ${aac}`),
  film('late-sound.mkv', 'both', `-map 0 -map 1 -map 2 -map_metadata 3 ${h264} ${aac}`, {
    from: `${picture()} -itsoffset 0.7 ${tone('stereo', 1)} -f srt -i TEXT -f ffmetadata -i CHAPTERS`,
  }),
  film('hevc-hlg.mov', 'sound', `${hdr} -color_trc arib-std-b67 ${aac}`, { is: 'hdr' }),
  film('vp9-opus.webm', 'nothing', '-c:v libvpx-vp9 -cpu-used 8 -deadline realtime -c:a libopus'),
  film('interlaced.mp4', 'sound', `${h264} -flags +ildct+ilme -x264opts tff=1 ${aac}`),
];

/** The other films, for the long tests. */
export const OTHER_FILMS: Film[] = [
  film('h264-aac.mp4', 'both', `${h264} ${aac}`),
  film('with-a-place.mov', 'both', `${h264} ${aac} -movflags use_metadata_tags -metadata ${PLACE}`),
  film('fragments.mp4', 'both', `${h264} ${aac} -g 10 -movflags frag_keyframe+empty_moov`),
  film('h264.ts', 'both', `${h264} ${aac}`),
  film('silent.mp4', 'picture', `-map 0 ${h264}`, { is: 'silent' }),
  film('six-channels.mp4', 'picture', `${h264} ${aac}`, { from: `${picture()} ${tone('5.1')}` }),
  film('pcm.mov', 'picture', `${h264} -c:a pcm_s16le`),
  film('mp3-inside.mp4', 'picture', `${h264} -c:a libmp3lame`),
  film('level-5.1.mp4', 'both', `${h264} -level 5.1 ${aac}`),
  // Sixteen reference frames at 1080p exceed level 4.2, regardless of the stated level.
  film(
    'really-5.1.mp4',
    'sound',
    `-c:v libx264 -preset ultrafast -refs 16 -level 5.1 -pix_fmt yuv420p ${aac}`,
    { from: `${picture('1920x1080', 25, 1)} ${tone('stereo', 1)}`, size: [1920, 1080] },
  ),
  film('sixty.mp4', 'both', `${h264} ${aac}`, {
    from: `${picture('640x360', 60)} ${tone()}`,
    size: [640, 360],
  }),
  film('uneven-times.mp4', 'both', `${h264} -vf select='not(eq(mod(n\\,7)\\,3))' -fps_mode vfr ${aac}`),
  film('late-picture.mp4', 'both', `${h264} ${aac}`, {
    from: `-itsoffset 0.5 ${picture('320x240', 25, 1)} ${tone()}`,
  }),
  film('hevc.mp4', 'sound', `${hevc} -pix_fmt yuv420p ${aac}`),
  film('hevc-pq.mkv', 'sound', `${hdr} -color_trc smpte2084 ${aac}`, { is: 'hdr' }),
  film('av1.mp4', 'sound', `-c:v libaom-av1 -cpu-used 8 -usage realtime ${aac}`),
  film('mpeg4-mp3.avi', 'nothing', '-c:v mpeg4 -c:a libmp3lame'),
  film('prores.mov', 'nothing', '-c:v prores_ks -pix_fmt yuv422p10le -c:a pcm_s24le'),
  film('windows.wmv', 'nothing', '-c:v wmv2 -c:a wmav2'),
  film('old-phone.3gp', 'sound', `-c:v h263 ${aac}`, {
    from: `${picture('352x288', 15)} ${tone('mono')}`,
    size: [352, 288],
  }),
  film('ten-bits.mp4', 'sound', `-c:v libx264 -preset ultrafast -pix_fmt yuv422p10le ${aac}`),
  film('wide-pixels.mp4', 'sound', `${h264} -vf setsar=4/3 ${aac}`, { size: [426, 240] }),
  film('hundred-a-second.mp4', 'sound', `${h264} ${aac}`, {
    from: `${picture('1280x720', 180, 1)} ${tone('stereo', 1)}`,
    size: [1280, 720],
    is: 'thinned',
  }),
  film('four-k.mp4', 'sound', `${h264} ${aac}`, {
    from: `${picture('3840x2160', 10, 1)} ${tone('stereo', 1)}`,
    size: [1920, 1080],
  }),
  film('odd-size.mp4', 'sound', `-c:v libx264 -preset ultrafast -pix_fmt yuv444p ${aac}`, {
    from: `${picture('321x241')} ${tone()}`,
  }),
];

/** Creates a folder for the films and songs of this test file; returns how to create a film of the table in it. */
export function useFilms() {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'films-'));
    await writeFile(join(folder, 'TEXT'), '1\n00:00:00,000 --> 00:00:01,000\nCiao\n');
    const chapter = ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Uno\n';
    await writeFile(join(folder, 'CHAPTERS'), chapter);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const filmOf = async ({ name, from, args }: Film): Promise<string> => {
    const path = join(folder, name);
    const sources = words(from).map((each) => (/^[A-Z]+$/.test(each) ? join(folder, each) : each));
    await ffmpeg(...sources, ...words(args), path);
    return path;
  };
  return { folder: () => folder, filmOf };
}

/** Allowed offset from the original, in seconds. */
const IN_SYNC = 0.08;

/** Converts a film of the table, checks the result, and returns its path. */
export async function expectFilm(carryOut: Do, row: Film, path: string): Promise<string> {
  const made = `${path}.made.mp4`;
  const result = await carryOut({ task: 'film', path, output: made });
  const keeps = {
    picture: row.kept === 'both' || row.kept === 'picture',
    sound: row.kept === 'both' || row.kept === 'sound',
  };
  expect(result).toMatchObject({ output: { kept: keeps, hasSound: row.is !== 'silent' } });
  const [old, fresh] = [await readFilm(path), await readFilm(made)];
  await expectPlain(made, fresh, row);
  expectSameTimes(old, fresh, row);
  await expectSameLook(path, made, row.is);
  // A transport stream packs the same bytes differently, and a corrected level changes a few bits of the first frame.
  const isPacked = path.endsWith('.ts');
  if (keeps.picture && !isPacked && !path.includes('level'))
    expect(fresh.hashesOf('video')).toEqual(old.hashesOf('video'));
  if (keeps.sound && !isPacked) expect(fresh.hashesOf('audio')).toEqual(old.hashesOf('audio'));
  return made;
}

type Read = Awaited<ReturnType<typeof readFilm>>;

async function expectPlain(made: string, { streams, chapters }: Read, { size: [width, height], is }: Film) {
  const [video, audio, ...others] = streams;
  expect(video).toMatchObject({ codec_type: 'video', codec_name: 'h264', width, height });
  expect(['yuv420p', 'yuvj420p']).toContain(video?.pix_fmt);
  expect(['1:1', undefined]).toContain(video?.sample_aspect_ratio);
  expect(video?.level).toBeLessThanOrEqual(42);
  if (is === 'silent') expect(audio).toBeUndefined();
  else expect(audio).toMatchObject({ codec_type: 'audio', codec_name: 'aac', profile: 'LC' });
  expect(audio?.channels ?? 0).toBeLessThanOrEqual(2);
  expect([others, chapters]).toEqual([[], []]);
  expect(await complaintsOn(made)).toBe('');
  const bytes = await readFile(made);
  expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  expect(bytes.includes('41.89')).toBe(false);
}

/** Expects both tracks to start and end as before, relative to the film's first moment, and no frame to be lost. */
function expectSameTimes(old: Read, fresh: Read, { is: kind }: Film) {
  const zero = (each: Read) => Math.min(each.video?.start ?? 0, each.audio?.start ?? Infinity);
  expect(Math.abs(zero(fresh))).toBeLessThan(IN_SYNC);
  for (const track of ['video', 'audio'] as const) {
    const [was, is] = [old[track], fresh[track]];
    if (was === null) continue;
    expect(Math.abs((is?.start ?? Infinity) - zero(fresh) - (was.start - zero(old)))).toBeLessThan(IN_SYNC);
    expect(Math.abs((is?.end ?? Infinity) - zero(fresh) - (was.end - zero(old)))).toBeLessThan(IN_SYNC);
  }
  if (kind === 'thinned') expect(fresh.video?.count).toBeLessThanOrEqual(61);
  else expect(fresh.video?.count).toBe(old.video?.count);
}

export async function expectSameLook(path: string, made: string, kind?: Film['is']) {
  const [was, is] = [await lookAt(path, 0.6), await lookAt(made, 0.6)];
  expect(is.length).toBe(was.length);
  // HDR may look different: only not black and not upside down.
  expect(apart(was, is)).toBeLessThan(kind === 'hdr' ? 60 : 12);
}

export const apart = (was: Buffer, is: Buffer) =>
  was.reduce((sum, value, at) => sum + Math.abs(value - (is[at] ?? 0)), 0) / was.length;

/** Songs of every kind, two seconds each. `kept` is the extension of one that is copied unchanged. */
type Song = { name: string; args: string; kept?: 'm4a' | 'mp3' };

const TONE = '-f lavfi -i sine=frequency=440:duration=2:sample_rate=44100,aformat=channel_layouts=stereo';
const COVER = '-f lavfi -i color=red:size=64x64:duration=1:rate=1';
/** With a cover picture. */
const covered = '-map 0 -map 1 -c:v png -disposition:v attached_pic -frames:v 1';

/** For `npm test`: one copied song of each kind, and one that is encoded again. */
export const SONGS_OF_EVERY_WAY: Song[] = [
  { name: 'flac.flac', args: `${covered} -c:a flac` },
  { name: 'covered.mp3', args: `${covered} -c:a libmp3lame`, kept: 'mp3' },
  { name: 'itunes.m4a', args: `${covered} -c:a aac`, kept: 'm4a' },
];

/** The other songs, for the long tests. */
export const OTHER_SONGS: Song[] = [
  { name: 'wave.wav', args: '-c:a pcm_s16le' },
  { name: 'apple-lossless.m4a', args: '-c:a alac' },
  { name: 'message.opus', args: '-c:a libopus' },
  { name: 'speex.ogg', args: '-c:a libspeex -ar 16000 -ac 1' },
  { name: 'windows.wma', args: '-c:a wmav2' },
  { name: 'dolby.ac3', args: '-c:a ac3' },
  { name: 'stream.aac', args: '-c:a aac', kept: 'm4a' },
];

/** Creates a song of the table, with a recording location in its metadata; returns its path. */
export async function songOf({ name, args }: Song, folder: string): Promise<string> {
  const path = join(folder, name);
  const sources = args.startsWith(covered) ? `${TONE} ${COVER}` : TONE;
  await ffmpeg(...words(`${sources} ${args} -metadata location=+41.89+012.49/`), path);
  return path;
}

/** Converts a song of the table, checks the result, and returns its path. */
export async function expectSong(carryOut: Do, song: Song, folder: string): Promise<string> {
  const { name, kept } = song;
  const extension = kept ?? 'm4a';
  const path = await songOf(song, folder);
  const made = `${path}.made.${extension}`;
  const result = await carryOut({ task: 'song', path, output: made });
  expect(result).toMatchObject({ output: { extension, kept: { sound: kept !== undefined } } });
  const { streams, audio } = await readFilm(made);
  const codec_name = extension === 'mp3' ? 'mp3' : 'aac';
  expect(streams).toMatchObject([{ codec_name, channels: name.startsWith('speex') ? 1 : 2 }]);
  const length = (audio?.end ?? 0) - Math.max(0, audio?.start ?? 0);
  expect(Math.abs(length - 2)).toBeLessThan(0.08);
  expect(await complaintsOn(made)).toBe('');
  expect((await readFile(made)).includes('41.89')).toBe(false);
  return made;
}
