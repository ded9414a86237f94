import type { FormatContext } from 'node-av/lib';
import type { Made } from '../door.ts';
import { expectedSeconds } from '../plan/estimate.ts';
import {
  type Anew,
  type FilmPlan,
  LEVEL,
  NOTHING,
  nextTry,
  type PicturePlan,
  planFilm,
  type SoundPlan,
} from '../plan/film-plan.ts';
import { madeFilm } from '../plan/made.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { Unfit } from './errors.ts';
import { timedStream, withInput } from './input.ts';
import { keepLane } from './keep-lane.ts';
import type { Lane } from './lane.ts';
import { makeLane, pictureEncoder } from './make-lane.ts';
import { measureSound } from './measure.ts';
import { type Output, withOutput } from './output.ts';
import { readTracks } from './probe.ts';
import { isGood, run } from './run.ts';
import { soundLane } from './sound-lane.ts';

/**
 * Makes a film for every phone. What is one already is taken over bit for bit; if it turns out on the way that it can't be decoded
 * cleanly, it is made anew instead, as a decoder that forgives shows it.
 */
export async function makeFilm(path: string, made: string, progress: Progress): Promise<Made> {
  const tracks = await withInput(path, (input) => readTracks(input, progress));
  for (let anew: Anew | null = NOTHING; anew !== null; ) {
    const plan = planFilm(tracks, { anew });
    if ('refused' in plan) throw new FileRefused(plan.refused);
    const faulty = await carryOutFilm(path, made, plan, progress);
    if (!faulty.picture && !(await hasLevel(made, plan, progress))) faulty.picture = true;
    if (!faulty.picture && !faulty.sound) return madeFilm(plan, await measureSound(made, progress));
    anew = nextTry(plan, anew, faulty);
  }
  throw new FileRefused('damaged');
}

/** A level that was told anew is the one that the pictures need: it may still be too high. */
async function hasLevel(made: string, { picture }: FilmPlan, progress: Progress): Promise<boolean> {
  if (picture.how !== 'keep' || !picture.relevel) return true;
  const { pictures } = await withInput(made, (input) => readTracks(input, progress));
  return pictures.every(({ level }) => level <= LEVEL);
}

/** Carries a plan out. Says what of it is faulty: kept, but not to be decoded or written cleanly; or made, of hardly anything. */
export async function carryOutFilm(
  path: string,
  made: string,
  plan: FilmPlan,
  progress: Progress,
): Promise<Anew> {
  const kept = { picture: plan.picture.how === 'keep', sound: plan.sound?.how === 'keep' };
  return attempt(path, made, plan, progress).catch((error: unknown) => {
    // What can't be written as it is may be written anew.
    if (error instanceof Unfit && (kept.picture || kept.sound)) return kept;
    throw error;
  });
}

async function attempt(path: string, made: string, plan: FilmPlan, progress: Progress): Promise<Anew> {
  progress.weighs(plan.megapixels, expectedSeconds(plan));
  return withInput(path, (input) =>
    withOutput(made, 'mp4', async (output) => {
      const picture = await pictureLane(input, output, plan.picture, plan.origin);
      const sound = plan.sound && (await soundLane(input, output, plan.sound, plan.origin));
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

const isFaulty = (lane: Lane, plan: PicturePlan | SoundPlan | null) =>
  plan !== null && !isGood(lane, plan.how, plan.track.times);

async function pictureLane(
  input: FormatContext,
  output: Output,
  plan: PicturePlan,
  originSeconds: number,
): Promise<Lane> {
  const { stream, times } = timedStream(input, plan.track);
  if (plan.how === 'keep') return keepLane(output, { ...plan, stream, times, originSeconds });
  const encoder = await pictureEncoder(plan);
  return makeLane(output, { stream, filters: plan.filters, encoder, times, originSeconds });
}
