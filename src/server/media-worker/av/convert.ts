import { AVDISCARD_ALL, AVFMT_FLAG_BITEXACT, AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import { Dictionary, FormatContext } from 'node-av/lib';
import { SILENCE_LUFS } from '../../../domain/media.ts';
import { FileRejected, progress } from '../child/task.ts';
import type { MediaResult } from '../door.ts';
import { expectedSeconds } from '../plan/encoding.ts';
import {
  type FilmPlan,
  LEVEL,
  nextPlan,
  type PicturePlan,
  planFilm,
  planSong,
  type Reencode,
  type SoundPlan,
} from '../plan/film-plan.ts';
import { checkStatus, eachPacket, timedStream, timeOf, UnsupportedInput, withInput } from './files.ts';
import { openFilteredDecoder } from './frames.ts';
import { copyTrack } from './keep-lane.ts';
import { encodeTrack, type TrackPipeline } from './make-lane.ts';
import { readTracks } from './probe.ts';

/** Paths of the source and of the file to write. */
type Conversion = { path: string; output: string };

/**
 * Converts a film for all phones. Tracks that they play already are copied bit for bit. If one can't be decoded cleanly, it is re-encoded
 * from the result of a tolerant decoder.
 */
export async function makeFilm(work: Conversion): Promise<MediaResult> {
  const tracks = await readTracks(work.path);
  for (let reencode: Reencode | null = { picture: false, sound: false }; reencode !== null; ) {
    const plan = planFilm(tracks, { reencode });
    const faulty = await convertFilm(work, plan);
    if (!faulty.picture && !(await hasLevel(work.output, plan))) faulty.picture = true;
    if (!faulty.picture && !faulty.sound) return filmResult(plan, await measureSound(work.output));
    reencode = nextPlan(plan, reencode, faulty);
  }
  throw new FileRejected('damaged');
}

/** Makes a light version of a stored film, with the same timestamps. */
export async function makeLight(work: Conversion): Promise<MediaResult> {
  const plan = planFilm(await readTracks(work.path), { light: true });
  const faulty = await convertFilm(work, plan);
  if (faulty.picture || faulty.sound) throw new FileRejected('damaged');
  return filmResult(plan, null);
}

/** Makes a song from a file's sound only: no cover, no names. */
export async function makeSong(work: Conversion): Promise<MediaResult> {
  const tracks = await readTracks(work.path);
  for (const reencode of [false, true]) {
    const plan = planSong(tracks, reencode);
    const { sound, extension, duration } = plan;
    const [isFaulty] = await convertTracks(work, extension === 'mp3' ? 'mp3' : 'mp4', [sound], plan);
    if (isFaulty === true) continue;
    const kept = { picture: false, sound: sound.how === 'keep' };
    const loudness = await measureSound(work.output);
    return { duration, width: 0, height: 0, kept, hasSound: true, extension, loudness };
  }
  throw new FileRejected('damaged');
}

/** Returns false if the corrected level, which is the one that the pictures need, is still too high. */
async function hasLevel(made: string, { picture }: FilmPlan): Promise<boolean> {
  if (picture.how !== 'keep' || !picture.relevel) return true;
  const { pictures } = await readTracks(made);
  return pictures.every(({ level }) => level <= LEVEL);
}

/** Returns true for tracks that the plan copies. */
const copiedTracks = ({ picture, sound }: FilmPlan) => ({
  picture: picture.how === 'keep',
  sound: sound?.how === 'keep',
});

/** @param loudness in LUFS; null for silence, no sound, or if not measured */
function filmResult(plan: FilmPlan, loudness: number | null): MediaResult {
  const { duration, picture, sound } = plan;
  const kept = copiedTracks(plan);
  return { duration, ...picture.size, kept, hasSound: sound !== null, extension: 'mp4', loudness };
}

/** Runs a plan. Returns the faulty tracks. */
async function convertFilm(work: Conversion, plan: FilmPlan): Promise<Reencode> {
  progress.setWorkload(plan.megapixels, expectedSeconds(plan));
  const tracks = plan.sound === null ? [plan.picture] : [plan.picture, plan.sound];
  try {
    const [picture = false, sound = false] = await convertTracks(work, 'mp4', tracks, plan);
    return { picture, sound };
  } catch (error) {
    const copied = copiedTracks(plan);
    // A track that can't be copied may still be re-encoded.
    if (error instanceof UnsupportedInput && (copied.picture || copied.sound)) return copied;
    throw error;
  }
}

/**
 * Writes tracks into a file without metadata about its creator or date. Returns true for each faulty track: copied but not cleanly decoded
 * or written, or re-encoded from hardly any pictures.
 * @param span in seconds; `origin` is the source time that becomes zero
 */
async function convertTracks(
  { path, output: made }: Conversion,
  format: 'mp4' | 'mp3',
  plans: readonly (PicturePlan | SoundPlan)[],
  span: { origin: number; duration: number },
): Promise<boolean[]> {
  return withInput(path, async (input) => {
    const lanes = new Map<number, TrackPipeline>();
    const output = new FormatContext();
    checkStatus(output.allocOutputContext2(null, format, made), 'making a file');
    output.setFlags(AVFMT_FLAG_BITEXACT);
    try {
      checkStatus(await output.openOutput(), 'making a file');
      for (const plan of plans) lanes.set(plan.track.index, await openLane(input, output, plan, span.origin));
      // The index comes first; no comment of the encoder, and no cover or tag in an MP3.
      using options = Dictionary.fromObject(
        format === 'mp4' ? { movflags: '+faststart' } : { id3v2_version: 0, write_xing: 0 },
      );
      checkStatus(await output.writeHeader(options), 'beginning a file');
      await run(input, lanes, span);
      checkStatus(await output.writeTrailer(), 'ending a file');
      return plans.map((plan) => isFaulty(plan, lanes.get(plan.track.index)));
    } finally {
      for (const lane of lanes.values()) lane.close();
      await output.closeOutput();
      output.freeContext();
    }
  });
}

async function openLane(
  input: FormatContext,
  output: FormatContext,
  plan: PicturePlan | SoundPlan,
  originSeconds: number,
): Promise<TrackPipeline> {
  const source = { ...timedStream(input, plan.track), originSeconds };
  if (plan.how === 'make') return encodeTrack(output, plan, source);
  return copyTrack(output, source, 'relevel' in plan && plan.relevel);
}

/** Sends every packet to the pipeline of its track, to the end of the file. */
async function run(
  input: FormatContext,
  lanes: ReadonlyMap<number, TrackPipeline>,
  { origin, duration }: { origin: number; duration: number },
): Promise<void> {
  const { streams } = input;
  await eachPacket(input, async (packet) => {
    const lane = lanes.get(packet.streamIndex);
    const stream = streams[packet.streamIndex];
    if (lane === undefined || stream === undefined) return;
    const { pts, dts } = timeOf(packet, stream);
    await lane.put(packet);
    progress.share(((pts ?? dts ?? 0) - origin) / duration);
  });
  for (const lane of lanes.values()) await lane.end();
}

/** Smallest share of the pictures that must be decoded; fewer aren't worth showing. */
const MIN_DECODED_SHARE = 0.8;

/** Returns true if a copied track has faults, or too little of a re-encoded one could be decoded. */
function isFaulty({ how, track }: PicturePlan | SoundPlan, lane: TrackPipeline | undefined): boolean {
  if (lane === undefined) return true;
  if (how === 'keep') return lane.faults() > 0;
  return lane.frames() < Math.max(1, MIN_DECODED_SHARE * ((track.times?.shown ?? 0) - 2));
}

/** FFmpeg's EBU R128 meter. The metadata of each frame has the loudness up to there. */
const METER = { filter: 'ebur128=metadata=1', key: 'lavfi.r128.I' } as const;

/**
 * Returns the loudness of a written file in LUFS; only its sound is read and decoded. null for silence, without sound, and for less than
 * the meter's window (0.4 s).
 */
async function measureSound(path: string): Promise<number | null> {
  return withInput(path, measure).catch((error: unknown) => {
    // The file was decoded once, so the loudness is merely unknown.
    if (error instanceof FileRejected) return null;
    throw error;
  });
}

async function measure(input: FormatContext): Promise<number | null> {
  const { streams } = input;
  const stream = streams.find(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  if (stream === undefined) return null;
  let loudness = -Infinity;
  const decoder = await openFilteredDecoder(stream, METER.filter, (frame) => {
    using metadata = frame.getMetadata();
    // A sound shorter than one step of the meter has no value. That of silence is no number.
    const integrated = metadata.get(METER.key);
    if (integrated !== null) loudness = Number(integrated);
  });
  if (decoder === null) return null;
  for (const each of streams) if (each.index !== stream.index) each.discard = AVDISCARD_ALL;
  const seconds = Number(input.duration) / 1e6;
  try {
    await eachPacket(input, async (packet) => {
      if (packet.streamIndex !== stream.index) return;
      await decoder.put(packet);
      progress.share((timeOf(packet, stream).pts ?? 0) / seconds);
    });
    await decoder.put(null);
    return loudness > SILENCE_LUFS ? loudness : null;
  } finally {
    decoder.close();
  }
}
