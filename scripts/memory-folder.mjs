/** A folder in memory for what the checks write: hundreds of small databases, each durable at every commit, wait for a disk most of the time. */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const SHM = '/dev/shm';
const NAME = /^sorpresa-checks-(\d+)$/;
/** What statfs says of a file system in memory (`TMPFS_MAGIC` of Linux). */
const TMPFS = 0x0102_1994;
/** The checks have held 1 GB at once; the programs that write it want memory, too. */
const ROOM = 4 * 1024 ** 3;

/**
 * The folder, as open to everybody as the system's own; it goes when this process ends.
 * @returns {string | undefined} undefined where there is none, or too little memory
 */
export function memoryFolder() {
  if (process.platform !== 'linux' || !existsSync(SHM)) return undefined;
  const { type, bavail, bsize } = statfsSync(SHM);
  if (type !== TMPFS || bavail * bsize < ROOM || freemem() < ROOM) return undefined;
  for (const left of readdirSync(SHM).filter(isLeft)) remove(join(SHM, left));
  const folder = join(SHM, `sorpresa-checks-${process.pid}`);
  try {
    mkdirSync(folder);
    chmodSync(folder, 0o1777);
  } catch {
    return undefined;
  }
  process.once('exit', () => remove(folder));
  return folder;
}

/** Of a run that was killed. */
function isLeft(name) {
  const pid = NAME.exec(name)?.[1];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another user's: that one's next run removes it.
  }
}
