import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The system's FFmpeg. Tests create and inspect files with it, independently of the product's own libraries. */
const FFMPEG = process.env['FFMPEG_PATH'] ?? '/usr/bin/ffmpeg';
const FFPROBE = FFMPEG.replace(/ffmpeg$/, 'ffprobe');

const run = promisify(execFile);
const MOST_OUTPUT = 64 * 1024 ** 2;

/** Creates a file; throws with FFmpeg's message on failure. */
export async function ffmpeg(...args: string[]): Promise<void> {
  await run(FFMPEG, ['-v', 'error', '-nostdin', '-y', ...args], { maxBuffer: MOST_OUTPUT });
}

/** Returns FFmpeg's warnings while it decodes a file to its end. */
export async function complaintsOn(path: string): Promise<string> {
  // Exact frame times: rounding could merge two frames.
  const asIs = ['-fps_mode', 'passthrough', '-enc_time_base:v', '-1'];
  const { stderr } = await run(FFMPEG, ['-v', 'error', '-nostdin', '-i', path, ...asIs, '-f', 'null', '-']);
  return stderr;
}

/** Returns the film's frame at this second as 8 × 6 pixels of three bytes. */
export async function lookAt(path: string, second: number): Promise<Buffer> {
  const shape = '-frames:v 1 -vf format=rgb24,scale=8:6:flags=area -pix_fmt rgb24 -f rawvideo -'.split(' ');
  const args = ['-v', 'error', '-nostdin', '-i', path, '-ss', String(second), '-map', '0:v:0', ...shape];
  const { stdout } = await run(FFMPEG, args, { encoding: 'buffer', maxBuffer: MOST_OUTPUT });
  return stdout;
}

export type Stream = {
  index: number;
  codec_type: string;
  codec_name: string;
  profile: string;
  level: number;
  width: number;
  height: number;
  pix_fmt: string;
  sample_aspect_ratio?: string;
  channels: number;
  side_data_list?: { rotation?: number }[];
};
type Packet = {
  stream_index: number;
  pts_time?: string;
  dts_time?: string;
  duration_time?: string;
  flags: string;
  data_hash?: string;
};

/** Returns the tracks of a file with their start and end in seconds, without packets that are cut away. */
export async function readFilm(path: string) {
  const shown = '-show_streams -show_chapters -show_packets -show_data_hash md5 -of json'.split(' ');
  const { stdout } = await run(FFPROBE, ['-v', 'error', ...shown, path], { maxBuffer: MOST_OUTPUT });
  const { streams, packets, chapters } = JSON.parse(stdout) as {
    streams: Stream[];
    packets: Packet[];
    chapters: unknown[];
  };
  const spanOf = (type: string) => {
    const stream = streams.find((each) => each.codec_type === type);
    const own = packets.filter((each) => each.stream_index === stream?.index);
    return spanOfPackets(own.filter(({ flags }) => !flags.includes('D')));
  };
  const hashesOf = (type: string) => {
    const stream = streams.find((each) => each.codec_type === type);
    return packets.filter((each) => each.stream_index === stream?.index).map((each) => each.data_hash);
  };
  return { streams, chapters, video: spanOf('video'), audio: spanOf('audio'), hashesOf };
}

function spanOfPackets(packets: readonly Packet[]): { start: number; end: number; count: number } | null {
  const times = packets.map((each) => Number(each.pts_time ?? each.dts_time)).toSorted((a, b) => a - b);
  const [start] = times;
  const end = times.at(-1);
  if (start === undefined || end === undefined) return null;
  const typical = times.length > 1 ? (end - start) / (times.length - 1) : 0;
  return { start, end: end + typical, count: times.length };
}

/** Returns the loudness of a file (LUFS) from FFmpeg's summary. */
export async function loudnessIn(path: string): Promise<number> {
  const meter = ['-map', '0:a:0', '-filter:a', 'ebur128', '-f', 'null', '-'];
  const { stderr } = await run(FFMPEG, ['-nostdin', '-hide_banner', '-i', path, ...meter], {
    maxBuffer: MOST_OUTPUT,
  });
  const summary = stderr.slice(stderr.lastIndexOf('Summary:'));
  return Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1]);
}
