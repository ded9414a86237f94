import type { Progress } from '../progress.ts';
import { readHeif } from './heif/open.ts';
import { kindOf } from './kind.ts';
import { readPlain } from './plain.ts';
import { rejectUnreadable } from './refused.ts';

/** It is read and not kept: no side of what is drawn of it is longer, in pixels. */
const SIDE = 512;

/** Reads a stored picture to its last pixel. Rejects where it can't be. */
export async function decodePicture(path: string, progress: Progress): Promise<void> {
  const kind = await kindOf(path);
  await rejectUnreadable<unknown>(kind === 'heif' ? readHeif(path, SIDE, progress) : readPlain(path, SIDE));
  progress.add(1);
}
