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
import { FileRejected } from '../child/task.ts';
import { measureGaps, type Times, timesOf } from '../plan/times.ts';
import type { PictureTrack, SoundTrack, Track, Tracks } from '../plan/tracks.ts';
import { eachPacket, timeOf, withInput } from './files.ts';
import { type Decoder, openDecoder } from './frames.ts';

/** A picture track is sampled up to this number of decoded pictures or of packets. */
const SAMPLE_LIMITS = { pictures: 8, packets: 120 } as const;

/** Major brands of pictures in the container of films: HEIC and AVIF. */
const PICTURE_BRAND = /^(hei[cxms]|hev[cx]|mif1|msf1|avi[fs])$/;
/** Sample descriptions of DRM-protected content. */
const PROTECTED_TAG = /^(enc[va]|drm[sit]|p608)$/;

/** Properties of a track's first pictures. */
type SampleProperties = Pick<PictureTrack, 'isInterlaced' | 'colour'> & { pixels: string };

/** A track while it is read. `sampler`: null if it isn't decoded, or no longer. */
type ReadTrack = {
  stream: Stream;
  times: ReturnType<typeof timesOf>;
  isProtected: boolean;
  sampler: Decoder | null;
  sample: SampleProperties | null;
};

/** Reads every packet of a file and decodes its first pictures, because headers may be wrong. */
export function readTracks(path: string): Promise<Tracks> {
  return withInput(path, async (input) => {
    if (PICTURE_BRAND.test(input.metadata?.get('major_brand') ?? '')) throw new FileRejected('unknown');
    const all = await Promise.all(input.streams.map(startTrack));
    const byIndex = new Map(all.map((each) => [each.stream.index, each]));
    const gaps = measureGaps();
    try {
      await eachPacket(input, async (packet) => {
        const track = byIndex.get(packet.streamIndex);
        if (track === undefined) return;
        const time = timeOf(packet, track.stream);
        track.times.add(time);
        if (!isExtra(track.stream)) gaps.add(time);
        track.isProtected ||= packet.getSideData(AV_PKT_DATA_ENCRYPTION_INFO) !== null;
        await decodeSample(track, packet);
      });
      for (const track of all) await decodeSample(track, null);
    } finally {
      for (const { sampler } of all) sampler?.close();
    }
    return toTracks(input, all, gaps.longest());
  });
}

async function startTrack(stream: Stream): Promise<ReadTrack> {
  const { codecType } = stream.codecpar;
  const isPicture = codecType === AVMEDIA_TYPE_VIDEO;
  if (!isPicture && codecType !== AVMEDIA_TYPE_AUDIO) stream.discard = AVDISCARD_ALL;
  const isProtected =
    PROTECTED_TAG.test(stream.codecpar.codecTagString ?? '') ||
    stream.codecpar.getCodedSideData(AV_PKT_DATA_ENCRYPTION_INIT_INFO) !== null;
  const track: ReadTrack = { stream, times: timesOf(), isProtected, sampler: null, sample: null };
  if (isPicture && !isExtra(stream) && !isProtected)
    track.sampler = await openDecoder(stream, (frame) => {
      const fresh = samplePropertiesOf(frame);
      track.sample ??= fresh;
      track.sample.isInterlaced ||= fresh.isInterlaced;
    });
  return track;
}

async function decodeSample(track: ReadTrack, packet: Packet | null): Promise<void> {
  const { sampler } = track;
  if (sampler === null || track.isProtected) return;
  await sampler.put(packet);
  const { packets } = track.times.count();
  if (packet !== null && sampler.frames() < SAMPLE_LIMITS.pictures && packets < SAMPLE_LIMITS.packets) return;
  sampler.close();
  track.sampler = null;
}

function samplePropertiesOf(frame: Frame): SampleProperties {
  const pixels = avGetPixFmtName(frame.format as Parameters<typeof avGetPixFmtName>[0]) ?? 'unknown';
  const { colorPrimaries: primaries, colorTrc: transfer, colorSpace: matrix } = frame;
  const isFull = pixels.startsWith('yuvj') || frame.colorRange === AVCOL_RANGE_JPEG;
  const isInterlaced = frame.hasFlags(AV_FRAME_FLAG_INTERLACED);
  return { pixels, isInterlaced, colour: { primaries, transfer, matrix, isFull } };
}

const EXTRA = [
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_TIMED_THUMBNAILS,
  AV_DISPOSITION_STILL_IMAGE,
  AV_DISPOSITION_METADATA,
  AV_DISPOSITION_DEPENDENT,
];
const isExtra = (stream: Stream) => EXTRA.some((flag) => stream.hasDisposition(flag));

function toTracks(input: FormatContext, all: readonly ReadTrack[], longestHole: number): Tracks {
  const ofType = (type: number) => all.filter(({ stream }) => stream.codecpar.codecType === type);
  return {
    container: input.iformat?.name ?? '',
    pictures: ofType(AVMEDIA_TYPE_VIDEO).map(toPictureTrack),
    sounds: ofType(AVMEDIA_TYPE_AUDIO).map(toSoundTrack),
    longestHole,
    isCutShort: all
      .filter(({ stream }) => stream.discard !== AVDISCARD_ALL && !isExtra(stream))
      .some(({ stream, times }) => isCutShort(stream, times.sum())),
  };
}

/**
 * Returns true if the file ends before its index: both samples and time are missing. A file that only claims to be longer has all its
 * samples; time cut by an edit list isn't counted.
 */
function isCutShort({ nbFrames, duration, timeBase }: Stream, times: Times | null): boolean {
  const indexed = Number(nbFrames);
  const claimed = (Number(duration) * timeBase.num) / timeBase.den;
  const packets = times?.packets ?? 0;
  const real = times === null ? 0 : times.end - Math.min(0, times.start);
  return indexed - packets > Math.max(2, 0.01 * indexed) && claimed - real > Math.max(0.5, 0.02 * claimed);
}

const toTrack = ({ stream, isProtected, times }: ReadTrack): Track => ({
  index: stream.index,
  codec: avGetCodecName(stream.codecpar.codecId) ?? 'unknown',
  profile: stream.codecpar.profile,
  isEnabled: stream.hasDisposition(AV_DISPOSITION_DEFAULT),
  isReadable: Codec.findDecoder(stream.codecpar.codecId) !== null,
  isProtected,
  times: times.sum(),
});

/** Colours of a track without decoded pictures: 2 means unspecified. */
const UNKNOWN_COLOUR = { primaries: 2, transfer: 2, matrix: 2, isFull: false } as const;

function toPictureTrack(track: ReadTrack): PictureTrack {
  const { stream, sample } = track;
  const { codecpar } = stream;
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  return {
    ...toTrack(track),
    level: codecpar.level,
    width: codecpar.width,
    height: codecpar.height,
    pixelAspect: pixelAspectOf(stream),
    pixels: sample?.pixels ?? null,
    isInterlaced: sample?.isInterlaced ?? false,
    matrix: matrix && Array.from({ length: 9 }, (_, place) => matrix.readInt32LE(4 * place)),
    colour: sample?.colour ?? UNKNOWN_COLOUR,
    isExtra: isExtra(stream),
  };
}

/** Returns a pixel's width divided by its height: the container's value before the bitstream's, 1 if neither is plausible. */
function pixelAspectOf({ sampleAspectRatio, codecpar }: Stream): number {
  const ratios = [sampleAspectRatio, codecpar.sampleAspectRatio];
  const ratio = ratios.find(({ num, den }) => num > 0 && den > 0) ?? { num: 1, den: 1 };
  const aspect = ratio.num / ratio.den;
  return aspect >= 0.1 && aspect <= 10 ? aspect : 1;
}

const toSoundTrack = (track: ReadTrack): SoundTrack => ({
  ...toTrack(track),
  channels: track.stream.codecpar.channels,
  rate: track.stream.codecpar.sampleRate,
});
