import { writeFile } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_QSCALE,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  AVSEEK_FLAG_BACKWARD,
} from 'node-av/constants';
import { Codec, CodecContext, type FormatContext, type Frame, Packet, Rational } from 'node-av/lib';
import type { MediaResult } from '../door.ts';
import { planFilm } from '../plan/film-plan.ts';
import { POSTER_QUALITY, posterFilters } from '../plan/poster.ts';
import type { Tracks } from '../plan/tracks.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { openDecoder } from './decoder.ts';
import { checkStatus, requireAllocated as found } from './errors.ts';
import { createTrackFilter } from './graph.ts';
import { eachPacket, streamOf, withInput } from './input.ts';
import { readTracks } from './probe.ts';

/** FFmpeg's quality unit. */
const LAMBDA = 118;
/** Number of pictures to decode; the filter chooses among as many. */
const SAMPLE_SIZE = 24;

/** Draws a typical picture of a film as a JPEG, from this second on, otherwise from the start. */
export async function drawPoster(
  path: string,
  made: string,
  second: number,
  progress: Progress,
): Promise<MediaResult> {
  const tracks = await withInput(path, (input) => readTracks(input, progress));
  const { jpeg, width, height } =
    (await draw(path, tracks, second, progress)) ?? (await draw(path, tracks, null, progress)) ?? refuse();
  await writeFile(made, jpeg);
  const kept = { picture: false, sound: false };
  return { duration: 0, width, height, kept, hasSound: false, extension: 'jpg', loudness: null };
}

function refuse(): never {
  throw new FileRejected('damaged');
}

type Drawn = { jpeg: Buffer; width: number; height: number };

/** Returns null if nothing can be shown from there on. */
async function draw(
  path: string,
  tracks: Tracks,
  second: number | null,
  progress: Progress,
): Promise<Drawn | null> {
  const plan = planFilm(tracks, { reencode: { picture: true, sound: false } });
  if ('refused' in plan) throw new FileRejected(plan.refused);
  if (plan.picture.how !== 'make') return null;
  const { track, filters, size } = plan.picture;
  return withInput(path, async (input) => {
    const stream = streamOf(input, track.index);
    const decoder = await openDecoder(stream);
    if (decoder === null) throw new FileRejected('undecodable');
    const graph = createTrackFilter(posterFilters(filters, size), stream.timeBase);
    let drawn: Drawn | null = null;
    const encode = async (frame: Frame) => {
      drawn ??= { jpeg: await jpegOf(frame), width: frame.width, height: frame.height };
    };
    const filter = (frame: Frame) => graph.put(frame, encode);
    try {
      if (second !== null) await seek(input, track.index, second);
      await eachPacket(input, progress, async (packet) => {
        if (packet.streamIndex === track.index) await decoder.put(packet, filter);
        return decoder.frames() < SAMPLE_SIZE && drawn === null;
      });
      await decoder.put(null, filter);
      await graph.put(null, encode);
      return drawn;
    } finally {
      graph.close();
      decoder.close();
    }
  });
}

async function seek(input: FormatContext, index: number, second: number): Promise<void> {
  const { num, den } = streamOf(input, index).timeBase;
  // If seeking fails, reading starts at the beginning.
  await input.seekFrame(index, BigInt(Math.round((second * den) / num)), AVSEEK_FLAG_BACKWARD);
}

async function jpegOf(frame: Frame): Promise<Buffer> {
  const codec = found(
    Codec.findEncoderByName('mjpeg' as Parameters<typeof Codec.findEncoderByName>[0]),
    'mjpeg',
  );
  const context = new CodecContext();
  context.allocContext3(codec);
  context.width = frame.width;
  context.height = frame.height;
  context.pixelFormat = AV_PIX_FMT_YUVJ420P;
  context.colorRange = AVCOL_RANGE_JPEG;
  context.timeBase = new Rational(1, 25);
  context.setFlags(AV_CODEC_FLAG_QSCALE);
  context.globalQuality = POSTER_QUALITY * LAMBDA;
  frame.quality = context.globalQuality;
  using packet = new Packet();
  packet.alloc();
  try {
    checkStatus(await context.open2(codec), 'drawing a picture');
    checkStatus(await context.sendFrame(frame), 'drawing a picture');
    checkStatus(await context.sendFrame(null), 'drawing a picture');
    checkStatus(await context.receivePacket(packet), 'drawing a picture');
    return Buffer.from(found(packet.data, 'picture'));
  } finally {
    context.freeContext();
  }
}
