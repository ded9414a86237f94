import { isUnavailable } from '../db/unavailable.ts';
import { StorageUnavailable } from '../storage/storage.ts';

/** No file handles left, for the process or the machine. */
const SYSTEM_SHORTAGE = new Set(['EMFILE', 'ENFILE']);

/** Does the error mean that database or storage can't answer now? Trying again later may help. */
export function isServiceUnavailable(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const short = typeof code === 'string' && SYSTEM_SHORTAGE.has(code);
  return short || error instanceof StorageUnavailable || isUnavailable(error);
}
