import type { MediaResult } from '../door.ts';
import { songResult } from '../plan/made.ts';
import { planSong, type SongPlan } from '../plan/song-plan.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { withInput } from './input.ts';
import { measureSound } from './measure.ts';
import { withOutput } from './output.ts';
import { readTracks } from './probe.ts';
import { isUsable, run } from './run.ts';
import { soundPipeline } from './sound-lane.ts';

/** Makes a song from a file's sound only: no cover, no names. */
export async function makeSong(path: string, made: string, progress: Progress): Promise<MediaResult> {
  const tracks = await withInput(path, (input) => readTracks(input, progress));
  for (const reencode of [false, true]) {
    const plan = planSong(tracks, reencode);
    if ('refused' in plan) throw new FileRejected(plan.refused);
    if (await carryOutSong(path, made, plan, progress))
      return songResult(plan, await measureSound(made, progress));
  }
  throw new FileRejected('damaged');
}

/** Returns false if copied sound has faults, or if hardly any of the sound to re-encode could be decoded. */
async function carryOutSong(
  path: string,
  made: string,
  plan: SongPlan,
  progress: Progress,
): Promise<boolean> {
  return withInput(path, (input) =>
    withOutput(made, plan.as === 'mp3' ? 'mp3' : 'mp4', async (output) => {
      const lane = await soundPipeline(input, output, plan.sound, plan.origin);
      try {
        await output.begin();
        await run(input, [lane], plan, progress);
        await output.end();
        return isUsable(lane, plan.sound.how, plan.sound.track.times);
      } finally {
        lane.close();
      }
    }),
  );
}
