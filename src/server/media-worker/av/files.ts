import { getSystemErrorMap } from 'node:util';
import { fileTypeFromFile } from 'file-type';
import { AV_NOPTS_VALUE, AV_PKT_FLAG_DISCARD, AVERROR_EAGAIN, AVERROR_EOF } from 'node-av/constants';
import { Dictionary, FFmpegError, FormatContext, Packet, type Stream } from 'node-av/lib';
import { FileRejected, progress } from '../child/task.ts';
import type { FileProblem } from '../door.ts';
import { MAX_PIXELS } from '../plan/film-plan.ts';
import type { PacketTime, Times } from '../plan/times.ts';

/** An FFmpeg error. `code`: Node's name of a system error such as ENOSPC or EIO, else null. */
class AvError extends Error {
  readonly code: string | null;

  constructor(what: string, status: number) {
    super(`${what}: ${FFmpegError.strerror(status)}`);
    this.code = getSystemErrorMap().get(status)?.[0] ?? null;
  }
}

/** Input that FFmpeg can't write or process; a fault of the file, not of the machine. */
export class UnsupportedInput extends FileRejected {
  constructor() {
    super('damaged');
  }
}

/** System errors that mean invalid or unsupported input; all others are faults of the machine. */
const SENSELESS = ['EINVAL', 'ERANGE', 'EDOM', 'EILSEQ', 'ENOTSUP', 'ENOSYS'];

/**
 * Throws if a call failed.
 * @throws {FileRejected} if the file is at fault: `UnsupportedInput`, or `memory` if it needs more than there is
 */
export function checkStatus(status: number, what: string): void {
  if (status >= 0) return;
  const error = new AvError(what, status);
  if (error.code === 'ENOMEM') throw new FileRejected('memory', { cause: error });
  if (error.code !== null && !SENSELESS.includes(error.code)) throw error;
  console.error(error.message);
  throw new UnsupportedInput();
}

/** Returns true for "no more now" and "no more at all", which aren't errors. */
export const needsMoreInput = (status: number) => status === AVERROR_EAGAIN || status === AVERROR_EOF;

/** Returns `one`. Throws if its constructor found nothing. */
export function requireAllocated<T>(one: T | null, what: string): T {
  if (one === null) throw new Error(`FFmpeg has no ${what}.`);
  return one;
}

/**
 * Demuxers that FFmpeg may use. Lists that refer to other files or addresses (HLS, DASH, concat, SDP, image sequences) are excluded:
 * FFmpeg would open those.
 */
const FORMATS =
  'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,mpeg,mpegvideo,m4v,h264,hevc,obu,ivf,asf,flv,live_flv,ogg,mxf,gxf,dv,rm,' +
  'nut,wtv,yuv4mpegpipe,wav,w64,aiff,caf,au,mp3,aac,loas,flac,amr,amrnb,amrwb,ac3,eac3,dts,ape,wv,tta,tak,mpc,mpc8';

/**
 * FFmpeg options for every input. Only the file at the path is opened, references to others (`dref`) are ignored, and the number of tracks
 * is limited to more than any camera writes.
 */
const INPUT_OPTIONS = {
  protocol_whitelist: 'file',
  format_whitelist: FORMATS,
  enable_drefs: '0',
  max_streams: '64',
};

/** Opens a file, calls `work` with it, and always closes it. */
export async function withInput<T>(path: string, work: (input: FormatContext) => Promise<T>): Promise<T> {
  const input = new FormatContext();
  using options = Dictionary.fromObject(INPUT_OPTIONS);
  if ((await input.openInput(path, null, options)) < 0) throw new FileRejected(await openingProblem(path));
  try {
    // The next call decodes a little of each track, so too large pictures are refused first.
    if (input.streams.some(({ codecpar }) => codecpar.width * codecpar.height > MAX_PIXELS))
      throw new FileRejected('too_large');
    if ((await input.findStreamInfo(null)) < 0) throw new FileRejected('damaged');
    return await work(input);
  } finally {
    await input.closeInput();
  }
}

/** Audio types that contain notes and no sound. */
const NOTES_ALONE = ['audio/midi', 'audio/x-mod'];

/** Returns the problem of a file that can't be opened. One that starts like a film or song is not of an unknown kind. */
async function openingProblem(path: string): Promise<FileProblem> {
  const kind = await fileTypeFromFile(path).catch(() => undefined);
  if (kind === undefined || !/^(video|audio)\//.test(kind.mime)) return 'unknown';
  return NOTES_ALONE.includes(kind.mime) ? 'undecodable' : 'damaged';
}

/** Calls `visit` with each packet until the file ends or it returns false. The packet is reused: a caller that stores it must clone it. */
export async function eachPacket(
  input: FormatContext,
  visit: (packet: Packet) => Promise<boolean | void>,
): Promise<void> {
  using packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    progress.add(1);
    const goesOn = await visit(packet);
    packet.unref();
    if (goesOn === false) return;
    await progress.yieldToEventLoop();
  }
}

/** Returns a packet's times in seconds. */
export function timeOf(packet: Packet, { timeBase }: Stream): PacketTime {
  const seconds = (stamp: bigint) => (Number(stamp) * timeBase.num) / timeBase.den;
  const orNull = (stamp: bigint) => (stamp === AV_NOPTS_VALUE ? null : seconds(stamp));
  return {
    pts: orNull(packet.pts),
    dts: orNull(packet.dts),
    duration: seconds(packet.duration),
    bytes: packet.size,
    discarded: packet.hasFlags(AV_PKT_FLAG_DISCARD),
  };
}

/** Returns a probed track's stream with its packet times. Throws `FileRejected` if either is missing. */
export function timedStream(
  input: FormatContext,
  { index, times }: { index: number; times: Times | null },
): { stream: Stream; times: Times } {
  const stream = input.streams[index];
  if (stream === undefined || times === null) throw new FileRejected('damaged');
  return { stream, times };
}

/** Converts seconds to ticks of a time base. */
export const toTicks = (seconds: number, { num, den }: { num: number; den: number }): bigint =>
  BigInt(Math.round((seconds * den) / num));
