import type { SoundsPlan } from '../plan/dubbed.ts';
import type { Progress } from '../progress.ts';
import { Unfit } from './errors.ts';
import { withInput } from './input.ts';
import type { Lane } from './lane.ts';
import { withOutput } from './output.ts';
import { isGood, run } from './run.ts';
import { soundLane } from './sound-lane.ts';

/** Writes sounds side by side into a file. Says of each whether it is faulty. */
export async function carryOutSounds(
  path: string,
  made: string,
  plan: SoundsPlan,
  progress: Progress,
): Promise<boolean[]> {
  const kept = plan.sounds.map(({ how }) => how === 'keep');
  return attempt(path, made, plan, progress).catch((error: unknown) => {
    // What can't be written as it is may be written anew.
    if (error instanceof Unfit && kept.includes(true)) return kept;
    throw error;
  });
}

async function attempt(path: string, made: string, plan: SoundsPlan, progress: Progress): Promise<boolean[]> {
  return withInput(path, (input) =>
    withOutput(made, 'mp4', async (output) => {
      const lanes: Lane[] = [];
      try {
        for (const sound of plan.sounds) lanes.push(await soundLane(input, output, sound, plan.origin));
        await output.begin();
        await run(input, lanes, plan, progress);
        await output.end();
        return plan.sounds.map(({ how, track }, at) => {
          const lane = lanes[at];
          return lane === undefined || !isGood(lane, how, track.times);
        });
      } finally {
        for (const lane of lanes) lane.close();
      }
    }),
  );
}
