import {
  EncodedPacketSink,
  FilePathSource,
  Input,
  type InputAudioTrack,
  type InputTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
  QTFF,
} from 'mediabunny';
import { reading } from '../checks/sniff.ts';
import type { Track } from './movie.ts';
import type { Place } from './samples.ts';

// Its opinions on strange files belong in no log: what they mean is said as a refusal.
Logging.level = LogLevel.Silent;

/** A film opened for reading: what every phone can play of it. */
export type Film = { video: InputVideoTrack; audio: InputAudioTrack | null; duration: number };

/** H.264 profiles that phones decode: baseline, main, extended, high; eight bits, 4:2:0. */
const PROFILES = new Set([66, 77, 88, 100]);
/** AAC as phones know it: LC, HE and HE v2. */
const AAC = /^mp4a\.40\.(2|5|29)$/;

/** Of a file that is being read, at most this stays in memory, in bytes. */
const CACHE = 2 * 1024 * 1024;
/** More than any frame has, in bytes. */
const LARGEST_FRAME = 64 * 1024 * 1024;

/** Opens a file for as long as `work` takes. */
export async function withInput<T>(path: string, work: (input: Input) => Promise<T>): Promise<T> {
  // What fails outside a read that somebody waits for fails the next one, too.
  const source = new FilePathSource(path, {
    maxCacheSize: CACHE,
    handleUnhandledError: () => undefined,
  });
  const input = new Input({ formats: [MP4, QTFF], source });
  try {
    return await work(input);
  } finally {
    input.dispose();
  }
}

/**
 * The film in a file, or what is wrong with it: no picture or no sound that every phone plays. Where its structure says where samples lie, the
 * library isn't asked: it would hold every one of them in memory.
 */
export async function filmIn(
  input: Input,
  path: string,
  tracks: readonly Track[],
): Promise<Film | 'video' | 'audio' | 'broken'> {
  const told = (track: InputTrack) => tracks.find(({ id }) => id === track.id);
  const hasSamples = (track: InputTrack) => (told(track)?.samples ?? 0) > 0;
  const video = await firstGood(await input.getVideoTracks(), isPlainH264);
  if (video === null) return 'video';
  const sounds = (await input.getAudioTracks()).filter(hasSamples);
  const audio = await firstGood(sounds, isPlainAac);
  if (audio === null && sounds.length > 0) return 'audio';
  const play = told(video)?.play ?? null;
  const duration = play === null ? await video.computeDuration() : play.seconds;
  if (!(duration > 0)) return 'broken';
  const frame = play === null ? await firstPacketOf(video) : await bytesAt(path, play.first);
  return frame !== null && (await isWholeFrame(frame, video)) ? { video, audio, duration } : 'broken';
}

async function firstGood<T extends InputTrack>(
  tracks: T[],
  good: (track: T) => Promise<boolean>,
): Promise<T | null> {
  for (const track of tracks) if (await good(track)) return track;
  return null;
}

async function isPlainH264(track: InputVideoTrack): Promise<boolean> {
  const [, profile] = /^avc1\.([0-9a-f]{2})/i.exec((await track.getCodecParameterString()) ?? '') ?? [];
  return profile !== undefined && PROFILES.has(Number.parseInt(profile, 16));
}

async function isPlainAac(track: InputAudioTrack): Promise<boolean> {
  return AAC.test((await track.getCodecParameterString()) ?? '');
}

async function firstPacketOf(track: InputTrack): Promise<Uint8Array | null> {
  return (await new EncodedPacketSink(track).getFirstPacket())?.data ?? null;
}

/** Null when they are more than any frame has. */
async function bytesAt(path: string, { from, bytes }: Place): Promise<Uint8Array | null> {
  if (bytes > LARGEST_FRAME) return null;
  return reading(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, from);
    return buffer.subarray(0, bytesRead);
  });
}

/** Is this what H.264 frames are made of: parts, each preceded by its length, that fill it exactly? */
async function isWholeFrame(data: Uint8Array, video: InputVideoTrack): Promise<boolean> {
  const config = await video.getDecoderConfig();
  if (config?.description === undefined) return false;
  const avcc = bytesOf(config.description);
  const width = ((avcc[4] ?? 0) & 3) + 1;
  let at = 0;
  while (at + width < data.length) {
    let length = 0;
    for (let i = 0; i < width; i += 1) length = length * 256 + (data[at + i] ?? 0);
    at += width + length;
  }
  return at === data.length && at > 0;
}

function bytesOf(source: ArrayBufferLike | ArrayBufferView): Uint8Array {
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
