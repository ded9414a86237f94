import { accessSync, chmodSync, constants, mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join, resolve } from 'node:path';
import { errorCode } from './db/errors.ts';
import { StorageUnavailable } from './storage/storage.ts';

const OTHERS_MODE = 0o077;
/** Mode bit of a folder that all users may write to, such as `/tmp`; it can't be private. */
const STICKY = 0o1000;

/** Remedy by system error code. */
const REMEDY: Record<string, string> = {
  ...forCodes(
    ['EACCES', 'EPERM'],
    'The user who runs the product must own DATA_DIR and everything in it: give it to that user, or set DATA_DIR to a folder of their own.',
  ),
  EROFS: 'That disk is read-only: set DATA_DIR to a folder on another one.',
  ...forCodes(
    ['EEXIST', 'ENOTDIR', 'EISDIR'],
    'A file is where a folder should be, or the other way round: move it away, or set DATA_DIR to another folder.',
  ),
  ENOENT: 'Nothing can be made there: set DATA_DIR to another folder.',
  ...forCodes(['ENOSPC', 'EDQUOT'], 'The disk is full: make room on it.'),
  EIO: 'The disk failed to read or write it: look at the disk.',
};

/** Returns a file system error as an error that names the file and the remedy; any other error unchanged. */
export function explainFileError(error: unknown): unknown {
  if (error instanceof StorageUnavailable && isFileError(error.cause)) return explainFileError(error.cause);
  if (!isFileError(error)) return error;
  const remedy = REMEDY[errorCode(error)];
  if (remedy === undefined) return error;
  return new Error(`${resolve(error.path)} can't be used (${error.message}). ${remedy}`, { cause: error });
}

function isFileError(error: unknown): error is Error & { path: string } {
  return error instanceof Error && 'path' in error && typeof error.path === 'string';
}

function forCodes(codes: string[], remedy: string): Record<string, string> {
  return Object.fromEntries(codes.map((code) => [code, remedy]));
}

/**
 * Creates the data folder if missing and restricts it to the server's user, because it holds codes, answers and secrets. Throws with a
 * remedy if the folder belongs to another user or is shared.
 */
export function prepareDataDir(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  // Windows has no such modes: rights are inherited from the parent folder.
  if (process.platform === 'win32') return;
  const { mode, uid } = statSync(path);
  if ((mode & OTHERS_MODE) === 0) return;
  const shared = (mode & STICKY) !== 0 || resolve(path) === '/';
  if (shared || uid !== process.getuid?.())
    throw new Error(
      `Others on this machine may look into ${resolve(path)} (mode ${(mode & 0o7777).toString(8)}), where codes and secrets are kept. Choose a DATA_DIR of your own, or have its owner run: chmod 700 ${resolve(path)}`,
    );
  chmodSync(path, 0o700);
}

/**
 * Enables Node's compile cache for all modules loaded afterwards; Node writes it when the process ends. It is in the data folder, because
 * only the owner may write code that is executed. An unusable folder is ignored here: the start reports it.
 */
export function setUpCompileCache(dataDir: string): void {
  try {
    prepareDataDir(dataDir);
  } catch {
    return;
  }
  enableCompileCache(join(dataDir, 'compiled'));
}
