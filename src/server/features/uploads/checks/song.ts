import { stat } from 'node:fs/promises';
import {
  ADTS,
  EncodedPacketSink,
  FilePathSource,
  FLAC,
  Input,
  type InputFormat,
  MP3,
  MP4,
  OGG,
  WAVE,
} from 'mediabunny';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import { isHeavySong } from '../../../../domain/heavy.ts';
import { isRefused, type Refused } from '../../../refused.ts';
import type { Check } from '../checked.ts';
import { readMovie } from '../mp4/movie.ts';
import { reading, sniff } from './sniff.ts';

type Kind = { format: InputFormat; codecs: RegExp; extension: string; content_type: string; old?: true };

const MP4_AUDIO: Kind = { format: MP4, codecs: /^aac$/, extension: 'm4a', content_type: 'audio/mp4' };
const OGG_AUDIO: Kind = {
  format: OGG,
  codecs: /^(vorbis|opus)$/,
  extension: 'ogg',
  content_type: 'audio/ogg',
  old: true,
};

/** What phones play, by the media type its bytes show. */
const KINDS: Record<string, Kind> = {
  'audio/mpeg': { format: MP3, codecs: /^mp3$/, extension: 'mp3', content_type: 'audio/mpeg' },
  'audio/wav': {
    format: WAVE,
    codecs: /^(pcm-(u8|s16|s24|f32)|ulaw|alaw)/,
    extension: 'wav',
    content_type: 'audio/wav',
  },
  'audio/ogg': OGG_AUDIO,
  'audio/ogg; codecs=opus': OGG_AUDIO,
  'audio/aac': { format: ADTS, codecs: /^aac$/, extension: 'aac', content_type: 'audio/aac' },
  'audio/flac': { format: FLAC, codecs: /^flac$/, extension: 'flac', content_type: 'audio/flac' },
  'audio/x-m4a': MP4_AUDIO,
  'audio/mp4': MP4_AUDIO,
  'video/mp4': MP4_AUDIO,
};

const PATIENCE_MS = 30_000;

/** A song that phones play, kept as it is (spec 5: «Seleziona un file audio valido» for anything else). */
export const checkSong: Check = async ({ path }) => {
  const kind = KINDS[(await sniff(path)) ?? ''];
  if (kind === undefined) return { refused: 'FILE_NOT_AUDIO' };
  const refused = kind === MP4_AUDIO ? await refusalOfMp4(path) : await refusalOfWave(path, kind);
  if (refused !== null) return { refused };
  if (!(await canBeHeard(path, kind))) return { refused: 'FILE_NOT_AUDIO' };
  const { size } = await stat(path);
  const { extension, content_type, old } = kind;
  const warnings = [
    ...(old === true ? (['NOT_ON_OLD_IPHONES'] as const) : []),
    ...(isHeavySong(size) ? (['HEAVY'] as const) : []),
  ];
  return { path, extension, content_type, warnings };
};

/** A film with pictures is no song. */
async function refusalOfMp4(path: string): Promise<FileRefusal | null> {
  const movie = await reading(path, readMovie);
  if (isRefused(movie)) return refusedAs(movie);
  return movie.tracks.some(({ kind }) => kind === 'vide') ? 'FILE_NOT_AUDIO' : null;
}

const refusedAs = ({ refused }: Refused<FileRefusal>) =>
  refused === 'FILE_TRUNCATED' ? refused : 'FILE_NOT_AUDIO';

/** A WAV says at its beginning how long it is; zero and all ones stand for «unknown». */
async function refusalOfWave(path: string, { format }: Kind): Promise<FileRefusal | null> {
  if (format !== WAVE) return null;
  return reading(path, async (file) => {
    const announced = (await file.read(Buffer.alloc(8), 0, 8, 0)).buffer.readUInt32LE(4);
    const { size } = await file.stat();
    return announced !== 0xff_ff_ff_ff && announced + 8 > size ? 'FILE_TRUNCATED' : null;
  });
}

/** Is there a first sound, of a kind that phones play? */
async function canBeHeard(path: string, { format, codecs }: Kind): Promise<boolean> {
  const source = new FilePathSource(path, { handleUnhandledError: () => undefined });
  const input = new Input({ formats: [format], source });
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The song took too long to read.')), PATIENCE_MS);
  try {
    return await Promise.race([hasSound(input, codecs), late.promise]);
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw error;
    return false;
  } finally {
    clearTimeout(timer);
    input.dispose();
  }
}

async function hasSound(input: Input, codecs: RegExp): Promise<boolean> {
  const track = await input.getPrimaryAudioTrack();
  if (track === null || !codecs.test((await track.getCodec()) ?? '')) return false;
  const packet = await new EncodedPacketSink(track).getFirstPacket();
  return packet !== null && packet.byteLength > 0;
}
