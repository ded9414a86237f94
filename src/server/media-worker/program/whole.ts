import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { inputArgs } from './make.ts';
import { runProgram } from './run.ts';

/** Decodes every picture and every sound of a stored film or song. Rejects where one is not as it should be, or there is none. */
export async function decodeWhole(ffmpeg: string, path: string, progress: Progress): Promise<void> {
  const everything = ['-map', '0:v?', '-map', '0:a?', '-f', 'null', '-progress', 'pipe:1', '-'];
  const { ok, complaints } = await runProgram(ffmpeg, [...inputArgs(path, 0), ...everything], () =>
    progress.did(1),
  );
  if (!ok || complaints.length > 0) throw new FileRefused('damaged');
}
