import { chmodSync, mkdirSync, statSync } from 'node:fs';
import { resolve } from 'node:path';

const OTHERS = 0o077;
/** Of a folder that everybody may write into (`/tmp`): it is not one's own. */
const STICKY = 0o1000;

/**
 * Makes the data folder if it isn't there, and shuts it for everybody but the user who runs the product: codes, answers and secrets lie in it.
 * Throws an error whose message says what to do where it is somebody else's, or shared by its nature.
 */
export function ownDataFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  // Windows has no such modes: what others may read there is inherited from the folder above.
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS) === 0) return;
  const shared = (mode & STICKY) !== 0 || resolve(path) === '/';
  if (shared || uid !== process.getuid?.()) throw new Error(looseFolder(path, mode));
  chmodSync(path, 0o700);
}

function looseFolder(path: string, mode: number): string {
  const rights = (mode & 0o7777).toString(8);
  return `Others on this machine may look into ${resolve(path)} (mode ${rights}), where codes and secrets are kept. Choose a DATA_DIR of your own, or have its owner run: chmod 700 ${resolve(path)}`;
}
