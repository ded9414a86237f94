import { join } from 'node:path';
import { vi } from 'vitest';
import type { Product } from '../../src/server/start.ts';
import { ffmpeg } from './ffmpeg.ts';

/**
 * Creates a film too large for a slow connection.
 * @param seconds its length; converting it to its light version takes about a third of that
 */
export async function heavyFilm(folder: string, { seconds }: { seconds: number }): Promise<string> {
  const path = join(folder, `pesante-${seconds}.mp4`);
  const picture = `testsrc2=size=960x720:rate=25:duration=${seconds},noise=alls=60:allf=t`;
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '30', '-pix_fmt', 'yuv420p'];
  await ffmpeg('-f', 'lavfi', '-i', picture, ...encoding, path);
  return path;
}

/**
 * Records the light conversions of a server: `begun` counts progress reports, `ends` has the result or error of each.
 */
export function watchLight({ deps }: Pick<Product, 'deps'>): { begun: number; ends: unknown[] } {
  const seen: { begun: number; ends: unknown[] } = { begun: 0, ends: [] };
  const carryOut = deps.mediaWorker.run.bind(deps.mediaWorker);
  vi.spyOn(deps.mediaWorker, 'run').mockImplementation((work, control) => {
    const result = carryOut(work, {
      ...control,
      progress: (share) => {
        if (work.task === 'light') seen.begun += 1;
        control.progress(share);
      },
    });
    if (work.task === 'light')
      result.then(
        (end) => seen.ends.push(end),
        (error: unknown) => seen.ends.push(error),
      );
    return result;
  });
  return seen;
}
