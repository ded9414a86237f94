import { join } from 'node:path';
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
