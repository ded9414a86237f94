import {
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_DEPENDENT,
  AV_DISPOSITION_METADATA,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_FRAME_FLAG_INTERLACED,
  AV_PKT_DATA_DISPLAYMATRIX,
  AV_PKT_DATA_ENCRYPTION_INFO,
  AV_PKT_DATA_ENCRYPTION_INIT_INFO,
  AVCOL_RANGE_JPEG,
  AVDISCARD_ALL,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import {
  avGetCodecName,
  avGetPixFmtName,
  Codec,
  type FormatContext,
  type Frame,
  type Packet,
  type Stream,
} from 'node-av/lib';
import { isCutShort, isPictureFile, isProtectedTag, pixelAspectOf } from '../plan/telltales.ts';
import { measureGaps, type Times, timesOf } from '../plan/times.ts';
import type { PictureTrack, SoundTrack, Tracks } from '../plan/tracks.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { type Decoder, openDecoder } from './decoder.ts';
import { eachPacket, timeOf } from './input.ts';

/** A picture track is sampled up to this number of decoded pictures or of packets. */
const SAMPLE_LIMITS = { pictures: 8, packets: 120 } as const;

/** Properties of a track's first pictures. */
type SampleProperties = {
  pixels: string;
  isInterlaced: boolean;
  isFull: boolean;
  colour: [number, number, number];
};

type DecodedStats = {
  stream: Stream;
  times: ReturnType<typeof timesOf>;
  isProtected: boolean;
  taster: Decoder | null;
  taste: SampleProperties | null;
};

/** Reads every packet of a file and decodes its first pictures, because headers may be wrong. */
export async function readTracks(input: FormatContext, progress: Progress): Promise<Tracks> {
  if (isPictureFile(input.metadata?.get('major_brand') ?? null)) throw new FileRejected('unknown');
  const all = await Promise.all(input.streams.map(watch));
  const watched = new Map(all.map((each) => [each.stream.index, each]));
  const holes = measureGaps();
  try {
    await eachPacket(input, progress, async (packet) => {
      const one = watched.get(packet.streamIndex);
      if (one === undefined) return true;
      const time = timeOf(packet, one.stream);
      one.times.add(time);
      if (!isExtra(one.stream)) holes.add(time);
      one.isProtected ||= packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null;
      await decodeSample(one, packet);
      return true;
    });
    for (const one of all) await decodeSample(one, null);
  } finally {
    for (const { taster } of all) taster?.close();
  }
  return tracksOf(input, all, holes.longest());
}

async function watch(stream: Stream): Promise<DecodedStats> {
  const { codecType } = stream.codecpar;
  const isPictureOrSound = codecType === AVMEDIA_TYPE_VIDEO || codecType === AVMEDIA_TYPE_AUDIO;
  if (!isPictureOrSound) stream.discard = AVDISCARD_ALL;
  const isSampled = codecType === AVMEDIA_TYPE_VIDEO && !isExtra(stream);
  const isProtected =
    isProtectedTag(stream.codecpar.codecTagString) ||
    stream.codecpar.getCodedSideData(AV_PKT_DATA_ENCRYPTION_INIT_INFO) !== null;
  const taster = isSampled && !isProtected ? await openDecoder(stream) : null;
  return { stream, times: timesOf(), isProtected, taster, taste: null };
}

async function decodeSample(one: DecodedStats, packet: Packet | null): Promise<void> {
  const { taster, isProtected } = one;
  if (taster === null || isProtected) return;
  await taster.put(packet, (frame) => {
    const known = one.taste;
    const fresh = samplePropertiesOf(frame);
    one.taste = known === null ? fresh : { ...known, isInterlaced: known.isInterlaced || fresh.isInterlaced };
  });
  const { packets } = one.times.count();
  if (packet !== null && taster.frames() < SAMPLE_LIMITS.pictures && packets < SAMPLE_LIMITS.packets) return;
  taster.close();
  one.taster = null;
}

function samplePropertiesOf(frame: Frame): SampleProperties {
  const pixels = avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0]) ?? 'unknown';
  return {
    pixels,
    isInterlaced: frame.hasFlags(AV_FRAME_FLAG_INTERLACED),
    isFull: pixels.startsWith('yuvj') || frame.colorRange === AVCOL_RANGE_JPEG,
    colour: [frame.colorPrimaries, frame.colorTrc, frame.colorSpace],
  };
}

const EXTRA = [
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_METADATA,
  AV_DISPOSITION_DEPENDENT,
];
const isExtra = (stream: Stream) => EXTRA.some((flag) => stream.hasDisposition(flag));

function tracksOf(input: FormatContext, all: readonly DecodedStats[], longestHole: number): Tracks {
  const pictures: PictureTrack[] = [];
  const sounds: SoundTrack[] = [];
  for (const one of all) {
    const times = one.times.sum();
    if (one.stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) pictures.push(pictureTrack(one, times));
    else if (one.stream.codecpar.codecType === AVMEDIA_TYPE_AUDIO) sounds.push(soundTrack(one, times));
  }
  const cut = all.filter(({ stream }) => stream.discard !== AVDISCARD_ALL && !isExtra(stream)).some(isCut);
  return { container: input.iformat?.name ?? '', pictures, sounds, longestHole, isCutShort: cut };
}

function isCut({ stream, times }: DecodedStats): boolean {
  const sum = times.sum();
  const claimed = (Number(stream.duration) * stream.timeBase.num) / stream.timeBase.den;
  return isCutShort({ indexed: Number(stream.nbFrames), claimed }, sum);
}

/** Returns the properties that both kinds of track have. */
const anyTrack = (stream: Stream) => ({
  index: stream.index,
  codec: avGetCodecName(stream.codecpar.codecId) ?? 'unknown',
  profile: stream.codecpar.profile,
  isEnabled: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
  isReadable: Codec.findDecoder(stream.codecpar.codecId) !== null,
});

function pictureTrack(
  { stream, isProtected, taste: found }: DecodedStats,
  times: Times | null,
): PictureTrack {
  const { codecpar } = stream;
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const [primaries, transfer, space] = found?.colour ?? [2, 2, 2];
  return {
    ...anyTrack(stream),
    level: codecpar.level,
    width: codecpar.width,
    height: codecpar.height,
    pixelAspect: pixelAspectOf(stream.sampleAspectRatio, codecpar.sampleAspectRatio),
    pixels: found?.pixels ?? null,
    isInterlaced: found?.isInterlaced ?? false,
    matrix: matrix && Array.from({ length: 9 }, (_, place) => matrix.readInt32LE(4 * place)),
    colour: { primaries, transfer, matrix: space, isFull: found?.isFull ?? false },
    isExtra: isExtra(stream),
    isProtected,
    times,
  };
}

function soundTrack({ stream, isProtected }: DecodedStats, times: Times | null): SoundTrack {
  const { codecpar } = stream;
  return {
    ...anyTrack(stream),
    channels: codecpar.channels,
    rate: codecpar.sampleRate,
    isProtected,
    times,
  };
}
