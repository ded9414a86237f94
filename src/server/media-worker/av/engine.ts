import { writeFile } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_QSCALE,
  AV_LOG_ERROR,
  AV_PIX_FMT_YUVJ420P,
  AVCOL_RANGE_JPEG,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
  AVSEEK_FLAG_BACKWARD,
  FF_ENCODER_MJPEG,
} from 'node-av/constants';
import { type Frame, Log, Packet, Rational, type Stream } from 'node-av/lib';
import { FileRejected } from '../child/task.ts';
import type { MediaResult, ProbeResult } from '../door.ts';
import { type PicturePlan, planFilm, planSong } from '../plan/film-plan.ts';
import { posterFilters } from '../plan/picture-filters.ts';
import { makeFilm, makeLight, makeSong } from './convert.ts';
import { checkStatus, eachPacket, requireAllocated, timedStream, toTicks, withInput } from './files.ts';
import { type Decoder, openDecoder, openFilteredDecoder } from './frames.ts';
import { openEncoder } from './make-lane.ts';
import { readTracks } from './probe.ts';

Log.setLevel(AV_LOG_ERROR);

/** FFmpeg's tasks, run in this process. They reject with `FileRejected` if the file is at fault. */
export const engine = { probe, makeFilm, makeLight, makeSong, drawPoster, decodeAll };

/** Rejects if the file can't be converted. */
async function probe({ path, kind }: { path: string; kind: 'film' | 'song' }): Promise<ProbeResult> {
  const tracks = await readTracks(path);
  const { duration } = kind === 'film' ? planFilm(tracks) : planSong(tracks);
  return { duration };
}

/** Number of pictures to decode; the filter chooses among as many. */
const SAMPLE_SIZE = 24;
/** JPEG quality on FFmpeg's scale, from 2 (best) to 31, and the unit of that scale. */
const POSTER_QUALITY = 3;
const LAMBDA = 118;

type Drawing = { jpeg: Buffer; width: number; height: number };
type PosterWork = { path: string; output: string; second: number };

/** Draws a typical picture of a film as a JPEG, from this second on, otherwise from the start. */
async function drawPoster({ path, output, second }: PosterWork): Promise<MediaResult> {
  const { picture } = planFilm(await readTracks(path), { reencode: { picture: true, sound: false } });
  const drawing = (await draw(path, picture, second)) ?? (await draw(path, picture, null));
  if (drawing === null) throw new FileRejected('damaged');
  const { jpeg, width, height } = drawing;
  await writeFile(output, jpeg);
  const kept = { picture: false, sound: false };
  return { duration: 0, width, height, kept, hasSound: false, extension: 'jpg', loudness: null };
}

/** Returns null if nothing can be shown from there on. */
async function draw(path: string, plan: PicturePlan, second: number | null): Promise<Drawing | null> {
  if (plan.how !== 'make') return null;
  const { track, filters, size } = plan;
  return withInput(path, async (input) => {
    const { stream } = timedStream(input, track);
    let drawing: Drawing | null = null;
    const decoder = await openFilteredDecoder(stream, posterFilters(filters, size), async (frame) => {
      drawing ??= { jpeg: await toJpeg(frame), width: frame.width, height: frame.height };
    });
    if (decoder === null) throw new FileRejected('undecodable');
    try {
      // If seeking fails, reading starts at the beginning.
      if (second !== null)
        await input.seekFrame(track.index, toTicks(second, stream.timeBase), AVSEEK_FLAG_BACKWARD);
      await eachPacket(input, async (packet) => {
        if (packet.streamIndex === track.index) await decoder.put(packet);
        return decoder.frames() < SAMPLE_SIZE && drawing === null;
      });
      await decoder.put(null);
      return drawing;
    } finally {
      decoder.close();
    }
  });
}

async function toJpeg(frame: Frame): Promise<Buffer> {
  const encoder = await openEncoder(FF_ENCODER_MJPEG, {}, (context) => {
    context.width = frame.width;
    context.height = frame.height;
    context.pixelFormat = AV_PIX_FMT_YUVJ420P;
    context.colorRange = AVCOL_RANGE_JPEG;
    context.timeBase = new Rational(1, 25);
    context.setFlags(AV_CODEC_FLAG_QSCALE);
    context.globalQuality = POSTER_QUALITY * LAMBDA;
  });
  frame.quality = POSTER_QUALITY * LAMBDA;
  using packet = new Packet();
  packet.alloc();
  try {
    checkStatus(await encoder.sendFrame(frame), 'drawing a picture');
    checkStatus(await encoder.sendFrame(null), 'drawing a picture');
    checkStatus(await encoder.receivePacket(packet), 'drawing a picture');
    return Buffer.from(requireAllocated(packet.data, 'picture'));
  } finally {
    encoder.freeContext();
  }
}

/** Decodes every picture and sound of a stored film or song. Rejects if one is faulty, or if there are none. */
async function decodeAll(path: string): Promise<void> {
  await withInput(path, async (input) => {
    const decoders = new Map<number, Decoder>();
    try {
      for (const stream of input.streams) {
        const decoder = isPlayed(stream) ? await openDecoder(stream, () => undefined) : null;
        if (decoder !== null) decoders.set(stream.index, decoder);
        else if (isPlayed(stream)) throw new FileRejected('undecodable');
        else stream.discard = AVDISCARD_ALL;
      }
      await eachPacket(input, async (packet) => {
        await decoders.get(packet.streamIndex)?.put(packet);
      });
      for (const decoder of decoders.values()) await decoder.put(null);
      const isWhole = (decoder: Decoder) => decoder.faults() === 0 && decoder.frames() > 0;
      if (decoders.size === 0 || ![...decoders.values()].every(isWhole)) throw new FileRejected('damaged');
    } finally {
      for (const decoder of decoders.values()) decoder.close();
    }
  });
}

const isPlayed = ({ codecpar: { codecType } }: Stream) =>
  codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;
