import { MOST_PIXELS } from '../bounds.ts';
import type { PicturePlan, SoundPlan } from '../plan/film-plan.ts';
import { POSTER_QUALITY } from '../plan/poster.ts';
import type { Times } from '../plan/times.ts';
import type { Progress } from '../progress.ts';
import { INPUT, options, runProgram } from './run.ts';

/** Less than this share of what there is could be decoded: what is left is nothing to show. */
export const LEAST_DECODED = 0.8;

/** What is opened, with the clock moved so that `origin` (seconds) becomes zero. */
export function inputArgs(path: string, origin: number): string[] {
  const moved = origin === 0 ? [] : ['-itsoffset', String(-origin)];
  return ['-nostdin', '-y', '-copyts', ...moved, ...besideArgs(path)];
}

/** Another file that is opened, its clock as it is. */
export const besideArgs = (path: string): string[] => [
  '-max_pixels',
  String(MOST_PIXELS),
  ...INPUT,
  '-i',
  path,
];

export function pictureArgs(plan: PicturePlan): string[] {
  const map = `0:${plan.track.index}`;
  if (plan.how === 'keep') {
    const level: Record<string, string> = plan.relevel ? { 'bsf:v': 'h264_metadata=level=auto' } : {};
    return options({ map, 'c:v': 'copy', ...level });
  }
  const { profile = 'high', ...settings } = plan.encoding;
  return options({
    map,
    // The program turns pictures by itself, and only then doesn't tell the old matrix again.
    'filter:v': plan.upright,
    'c:v': 'libx264',
    'profile:v': profile,
    fps_mode: 'passthrough',
    enc_time_base: '1:90000',
    ...settings,
  });
}

/**
 * @param file the number of the file that it is in
 * @param place among the sounds that are written
 */
export function soundArgs(plan: SoundPlan, file = 0, place = 0): string[] {
  const map = ['-map', `${file}:${plan.track.index}`];
  if (plan.how === 'keep') return [...map, `-c:a:${place}`, 'copy'];
  const { b = '128000' } = plan.encoding;
  return [...map, `-filter:a:${place}`, plan.filters, `-c:a:${place}`, 'aac', `-b:a:${place}`, b];
}

/** An MP4 whose index comes first, or an MP3 without tags; nothing is said of who made it or when, and nothing else is in it. */
export function outputArgs(made: string, format: 'mp4' | 'mp3'): string[] {
  const shape = format === 'mp4' ? ['-movflags', '+faststart'] : ['-id3v2_version', '0'];
  const bare = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'];
  return [...bare, ...shape, '-f', format, made];
}

type Poster = { path: string; made: string; second: number; track: number; filters: string };

/** One picture as a JPEG. */
export function posterArgs({ path, made, second, track, filters }: Poster): string[] {
  const seek: Record<string, number> = second > 0 ? { ss: second } : {};
  const input = options({ max_pixels: MOST_PIXELS, ...seek });
  const picture = { map: `0:${track}`, 'filter:v': filters, 'frames:v': 1 };
  const output = options({ ...picture, 'c:v': 'mjpeg', 'q:v': POSTER_QUALITY, f: 'image2', update: 1 });
  return ['-nostdin', '-y', ...INPUT, ...input, '-i', path, ...output, made];
}

/** The program copies what is cut away at the end as well, unless it is told where that is. */
export function endArgs(tracks: readonly { times: Times | null }[], origin: number): string[] {
  const all = tracks.flatMap(({ times }) => times ?? []);
  const isCut = all.some(({ packets, shown }) => shown < packets);
  return isCut ? options({ t: Math.max(...all.map(({ end }) => end)) - origin }) : [];
}

/** Runs a making to its end. How many pictures came out; null where it failed. */
export async function make(
  ffmpeg: string,
  args: readonly string[],
  duration: number,
  progress: Progress,
): Promise<number | null> {
  let [pictures, seconds] = [0, 0];
  const { ok } = await runProgram(ffmpeg, ['-progress', 'pipe:1', ...args], (line) => {
    const [name, value] = line.split('=');
    const number = Number(value);
    if (Number.isNaN(number)) return;
    if (name === 'frame') pictures = number;
    if (name !== 'out_time_us') return;
    // It is told again and again, also when nothing was done since.
    if (number / 1e6 > seconds) progress.did(1);
    seconds = Math.max(seconds, number / 1e6);
    progress.share(seconds / duration);
  });
  return ok ? pictures : null;
}

/** Can these tracks be decoded to their end without a complaint? */
export async function isClean(ffmpeg: string, path: string, tracks: readonly number[], progress: Progress) {
  const maps = tracks.flatMap((index) => ['-map', `0:${index}`]);
  const args = [
    '-progress',
    'pipe:1',
    ...inputArgs(path, 0),
    ...maps,
    '-fps_mode',
    'passthrough',
    '-f',
    'null',
    '-',
  ];
  const { ok, complaints } = await runProgram(ffmpeg, args, (line) => {
    if (line.startsWith('out_time_us=')) progress.did(1);
  });
  return ok && complaints.length === 0;
}
