import { isUnavailable } from '../db/unavailable.ts';
import { StorageUnavailable } from '../storage/storage.ts';

/** The process or the machine has no file handles left. */
const SYSTEM_SHORTAGE = new Set(['EMFILE', 'ENFILE']);

/** Returns true if the error means that database or storage is temporarily unavailable, so that a retry may succeed. */
export function isServiceUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const short = typeof code === 'string' && SYSTEM_SHORTAGE.has(code);
  return short || error instanceof StorageUnavailable || isUnavailable(error);
}
