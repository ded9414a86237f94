import type { FormatContext } from 'node-av/lib';
import type { MediaResult } from '../door.ts';
import { expectedSeconds } from '../plan/estimate.ts';
import {
  type FilmPlan,
  LEVEL,
  NOTHING,
  nextPlan,
  type PicturePlan,
  planFilm,
  type Reencode,
  type SoundPlan,
} from '../plan/film-plan.ts';
import { filmResult } from '../plan/made.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { UnsupportedInput } from './errors.ts';
import { timedStream, withInput } from './input.ts';
import { copyTrack } from './keep-lane.ts';
import type { TrackPipeline } from './lane.ts';
import { encodeTrack, pictureEncoder } from './make-lane.ts';
import { measureSound } from './measure.ts';
import { type Output, withOutput } from './output.ts';
import { readTracks } from './probe.ts';
import { isUsable, run } from './run.ts';
import { soundPipeline } from './sound-lane.ts';

/**
 * Converts a film for all phones. Tracks that they play already are copied bit for bit. If one can't be decoded cleanly, it is re-encoded
 * from the result of a tolerant decoder.
 */
export async function makeFilm(path: string, made: string, progress: Progress): Promise<MediaResult> {
  const tracks = await withInput(path, (input) => readTracks(input, progress));
  for (let anew: Reencode | null = NOTHING; anew !== null; ) {
    const plan = planFilm(tracks, { reencode: anew });
    if ('refused' in plan) throw new FileRejected(plan.refused);
    const faulty = await carryOutFilm(path, made, plan, progress);
    if (!faulty.picture && !(await hasLevel(made, plan, progress))) faulty.picture = true;
    if (!faulty.picture && !faulty.sound) return filmResult(plan, await measureSound(made, progress));
    anew = nextPlan(plan, anew, faulty);
  }
  throw new FileRejected('damaged');
}

/** Returns false if the corrected level, which is the one that the pictures need, is still too high. */
async function hasLevel(made: string, { picture }: FilmPlan, progress: Progress): Promise<boolean> {
  if (picture.how !== 'keep' || !picture.relevel) return true;
  const { pictures } = await withInput(made, (input) => readTracks(input, progress));
  return pictures.every(({ level }) => level <= LEVEL);
}

/** Runs a plan. Returns the faulty tracks: copied but not cleanly decoded or written, or re-encoded from hardly any pictures. */
export async function carryOutFilm(
  path: string,
  made: string,
  plan: FilmPlan,
  progress: Progress,
): Promise<Reencode> {
  const kept = { picture: plan.picture.how === 'keep', sound: plan.sound?.how === 'keep' };
  return attempt(path, made, plan, progress).catch((error: unknown) => {
    // A track that can't be copied may still be re-encoded.
    if (error instanceof UnsupportedInput && (kept.picture || kept.sound)) return kept;
    throw error;
  });
}

async function attempt(path: string, made: string, plan: FilmPlan, progress: Progress): Promise<Reencode> {
  progress.setWorkload(plan.megapixels, expectedSeconds(plan));
  return withInput(path, (input) =>
    withOutput(made, 'mp4', async (output) => {
      const picture = await pictureLane(input, output, plan.picture, plan.origin);
      const sound = plan.sound && (await soundPipeline(input, output, plan.sound, plan.origin));
      const lanes = sound === null ? [picture] : [picture, sound];
      try {
        await output.begin();
        await run(input, lanes, plan, progress);
        await output.end();
        return {
          picture: isFaulty(picture, plan.picture),
          sound: sound !== null && isFaulty(sound, plan.sound),
        };
      } finally {
        for (const lane of lanes) lane.close();
      }
    }),
  );
}

const isFaulty = (lane: TrackPipeline, plan: PicturePlan | SoundPlan | null) =>
  plan !== null && !isUsable(lane, plan.how, plan.track.times);

async function pictureLane(
  input: FormatContext,
  output: Output,
  plan: PicturePlan,
  originSeconds: number,
): Promise<TrackPipeline> {
  const { stream, times } = timedStream(input, plan.track);
  if (plan.how === 'keep') return copyTrack(output, { ...plan, stream, times, originSeconds });
  const encoder = await pictureEncoder(plan);
  return encodeTrack(output, { stream, filters: plan.filters, encoder, times, originSeconds });
}
