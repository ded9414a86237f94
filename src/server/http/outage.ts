import { isUnavailable } from '../db/unavailable.ts';

/** No space, no file handles, a disk that fails. */
const SYSTEM_SHORTAGE = new Set(['ENOSPC', 'EDQUOT', 'EMFILE', 'ENFILE', 'EIO', 'EROFS']);

/** Does the error mean that database or storage can't answer now? Trying again later may help. */
export function isOutage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return isUnavailable(error) || (typeof code === 'string' && SYSTEM_SHORTAGE.has(code));
}
