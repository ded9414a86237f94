import { MOST_PIXELS } from '../bounds.ts';
import { isCutShort, isPictureFile, isProtectedTag, pixelAspectOf } from '../plan/telltales.ts';
import { holesIn, timesOf } from '../plan/times.ts';
import type { PictureTrack, SoundTrack, Tracks } from '../plan/tracks.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { describedSchema, type Frames, frameSchema, matrixOf, type Stream } from './described.ts';
import { codePointOf, profileOf } from './names.ts';
import { INPUT, options, runProgram, textOf } from './run.ts';

/** The first pictures of a track are decoded, out of so many packets. */
const TASTED_PACKETS = 120;
const EXTRA = ['attached_pic', 'timed_thumbnails', 'still_image', 'metadata', 'dependent'];

const isExtra = ({ disposition }: Stream) => EXTRA.some((name) => disposition[name] === 1);
const isWanted = ({ codec_type }: Stream) => codec_type === 'video' || codec_type === 'audio';

/** What a file is, by `ffprobe`. */
export async function readTracks(ffprobe: string, path: string, progress: Progress): Promise<Tracks> {
  const { streams, format } = await describe(ffprobe, path);
  if (isPictureFile(format.tags['major_brand']?.trim() ?? null)) throw new FileRefused('unknown');
  if (streams.some(({ width, height }) => width * height > MOST_PIXELS)) throw new FileRefused('too_large');
  progress.did(1);
  const { times, longestHole } = await readPackets(ffprobe, path, streams, progress);
  const isProtected = await hasProtectedPackets(ffprobe, path);
  const pictures: PictureTrack[] = [];
  const sounds: SoundTrack[] = [];
  for (const stream of streams.filter(isWanted)) {
    const own = times.get(stream.index)?.sum() ?? null;
    const locked = isProtected || isProtectedTag(stream.codec_tag_string);
    const base = { index: stream.index, codec: stream.codec_name, times: own, isProtected: locked };
    if (stream.codec_type === 'audio') sounds.push({ ...base, ...soundOf(stream) });
    else {
      const frames = isExtra(stream) || locked ? [] : await taste(ffprobe, path, stream);
      pictures.push({ ...base, ...pictureOf(stream, frames) });
      progress.did(1);
    }
  }
  const cut = streams
    .filter((stream) => isWanted(stream) && !isExtra(stream))
    .some((stream) =>
      isCutShort(
        { indexed: stream.nb_frames, claimed: stream.duration },
        times.get(stream.index)?.sum() ?? null,
      ),
    );
  return { container: format.format_name, pictures, sounds, longestHole, isCutShort: cut };
}

async function describe(ffprobe: string, path: string) {
  const args = [...INPUT, '-show_streams', '-show_format', '-of', 'json', path];
  const { text, ok } = await textOf(ffprobe, args);
  if (!ok) throw new FileRefused('unknown');
  return describedSchema.parse(JSON.parse(text));
}

async function readPackets(ffprobe: string, path: string, streams: readonly Stream[], progress: Progress) {
  const times = new Map(streams.filter(isWanted).map(({ index }) => [index, timesOf()]));
  const counted = new Set(streams.filter((stream) => !isExtra(stream)).map(({ index }) => index));
  const holes = holesIn();
  const entries = 'packet=stream_index,pts_time,dts_time,duration_time,size,flags';
  await runProgram(ffprobe, [...INPUT, '-show_entries', entries, '-of', 'csv=p=0', path], (line) => {
    const [index = '', pts, dts, duration, size, flags] = line.split(',');
    // What some packets carry beside gets a line of its own.
    if (index === '' || flags === undefined) return;
    const packet = {
      pts: secondsOf(pts),
      dts: secondsOf(dts),
      duration: secondsOf(duration) ?? 0,
      bytes: Number(size),
      discarded: flags.includes('D'),
    };
    times.get(Number(index))?.add(packet);
    if (counted.has(Number(index)) && times.has(Number(index))) holes.add(packet);
    progress.did(1);
  });
  return { times, longestHole: holes.longest() };
}

function secondsOf(text: string | undefined): number | null {
  const seconds = Number.parseFloat(text ?? '');
  return Number.isNaN(seconds) ? null : seconds;
}

async function hasProtectedPackets(ffprobe: string, path: string): Promise<boolean> {
  const args = [...INPUT, '-show_packets', '-read_intervals', '%+#16', '-of', 'json', path];
  return (await textOf(ffprobe, args)).text.includes('"Encryption info"');
}

async function taste(ffprobe: string, path: string, { index }: Stream): Promise<Frames> {
  const wanted = options({
    max_pixels: MOST_PIXELS,
    select_streams: index,
    read_intervals: `%+#${TASTED_PACKETS}`,
  });
  const args = [...INPUT, ...wanted, '-show_frames', '-of', 'json', path];
  const { text } = await textOf(ffprobe, args);
  return frameSchema.safeParse(JSON.parse(text === '' ? '{}' : text)).data?.frames ?? [];
}

type PictureRest = Omit<PictureTrack, 'index' | 'codec' | 'times' | 'isProtected'>;

function pictureOf(stream: Stream, frames: Frames): PictureRest {
  const [first] = frames;
  const pixels = first?.pix_fmt ?? null;
  const [num = 0, den = 0] = stream.sample_aspect_ratio.split(':').map(Number);
  return {
    profile: profileOf(stream.profile),
    level: stream.level,
    width: stream.width,
    height: stream.height,
    pixelAspect: pixelAspectOf({ num, den }, { num: 1, den: 1 }),
    pixels,
    isInterlaced: frames.some((frame) => frame.interlaced_frame === 1),
    matrix: matrixOf(stream),
    colour: {
      primaries: codePointOf(first?.color_primaries),
      transfer: codePointOf(first?.color_transfer),
      matrix: codePointOf(first?.color_space),
      isFull: first?.color_range === 'pc' || pixels?.startsWith('yuvj') === true,
    },
    isExtra: isExtra(stream),
    isEnabled: stream.disposition['default'] === 1,
    isReadable: stream.codec_name !== 'unknown',
  };
}

function soundOf(stream: Stream): Omit<SoundTrack, 'index' | 'codec' | 'times' | 'isProtected'> {
  return {
    profile: profileOf(stream.profile),
    channels: stream.channels,
    rate: stream.sample_rate,
    language: stream.tags['language'] ?? null,
    title: stream.tags['title'] ?? null,
    isEnabled: stream.disposition['default'] === 1,
    isReadable: stream.codec_name !== 'unknown' && stream.channels > 0,
  };
}
