import type { Progress } from '../progress.ts';
import { readHeif } from './heif/open.ts';
import { kindOf } from './kind.ts';
import { readPlain } from './plain.ts';
import { rejectUnreadable } from './refused.ts';

/** Longest side in pixels; the result is discarded, so a small one is enough. */
const SIDE = 512;

/** Decodes a stored picture to its last pixel. Rejects if that fails. */
export async function decodePicture(path: string, progress: Progress): Promise<void> {
  const kind = await kindOf(path);
  await rejectUnreadable<unknown>(kind === 'heif' ? readHeif(path, SIDE, progress) : readPlain(path, SIDE));
  progress.add(1);
}
