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

/** The film in a file, or what is wrong with it: no picture or no sound that every phone plays. */
export async function filmIn(input: Input): Promise<Film | 'video' | 'audio' | 'broken'> {
  const video = await firstGood(await input.getVideoTracks(), isPlainH264);
  if (video === null) return 'video';
  const sounds = await input.getAudioTracks();
  const audio = await firstGood(sounds, isPlainAac);
  if (audio === null && (await firstGood(sounds, hasPackets)) !== null) return 'audio';
  const duration = await video.computeDuration();
  return duration > 0 && (await hasWholeFrame(video)) ? { video, audio, duration } : 'broken';
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
  return AAC.test((await track.getCodecParameterString()) ?? '') && hasPackets(track);
}

async function hasPackets(track: InputTrack): Promise<boolean> {
  return (await new EncodedPacketSink(track).getFirstPacket({ metadataOnly: true })) !== null;
}

/** Are the first frame's bytes what H.264 frames are made of: parts, each preceded by its length, that fill it exactly? */
async function hasWholeFrame(video: InputVideoTrack): Promise<boolean> {
  const config = await video.getDecoderConfig();
  const packet = await new EncodedPacketSink(video).getFirstPacket();
  if (packet === null || config?.description === undefined) return false;
  const avcc = bytesOf(config.description);
  const width = ((avcc[4] ?? 0) & 3) + 1;
  const { data } = packet;
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
