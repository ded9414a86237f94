/**
 * A folder in memory for the checks' files: on a disk, hundreds of small databases with durable commits would mostly
 * wait.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const SHM = '/dev/shm';
const NAME = /^sorpresa-checks-(\d+)$/;
/** File system type of memory in statfs (`TMPFS_MAGIC` of Linux). */
const TMPFS = 0x0102_1994;
/** Required free bytes: the checks have used 1 GB at once, and their programs need memory, too. */
const REQUIRED_BYTES = 4 * 1024 ** 3;

/**
 * Creates the folder with the access rights of the system's temporary folder; it is removed when this process ends.
 * @returns {string | undefined} undefined if there is no such file system or too little memory
 */
export function memoryFolder() {
  if (process.platform !== 'linux' || !existsSync(SHM)) return undefined;
  const { type, bavail, bsize } = statfsSync(SHM);
  if (type !== TMPFS || bavail * bsize < REQUIRED_BYTES || freemem() < REQUIRED_BYTES) return undefined;
  for (const leftover of readdirSync(SHM).filter(isLeftover)) remove(join(SHM, leftover));
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

/** Returns true for the folder of a killed run. */
function isLeftover(name) {
  const pid = NAME.exec(name)?.[1];
  return pid !== undefined && !existsSync(`/proc/${pid}`);
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    // It belongs to another user, whose next run removes it.
  }
}
