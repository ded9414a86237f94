/** Finds the FFmpeg that the tests make their films with, and installs Debian's where there is none. */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { installPackages } from './browser.mjs';
import { giveUp } from './setup.mjs';

const NONE =
  'There is no FFmpeg for the tests, and none could be installed: an administrator must run `apt-get install -y ffmpeg` (or install it another way), or FFMPEG_PATH must name one.';

/** The path of an `ffmpeg` that has its `ffprobe` beside it, or undefined. `FFMPEG_PATH` comes first. */
function findFfmpeg() {
  const places = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'ffmpeg'));
  return [process.env.FFMPEG_PATH, ...places].find(
    (path) => path && existsSync(path) && existsSync(path.replace(/ffmpeg$/, 'ffprobe')),
  );
}

/** The path of one that is there when this returns. Ends the process with a sentence when none can be had. */
export function ensureFfmpeg() {
  const found = findFfmpeg();
  if (found) return found;
  if (process.platform === 'linux') installPackages('ffmpeg');
  return findFfmpeg() ?? giveUp(NONE);
}
