import { isNoRoom } from '../../db/errors.ts';
import { isOutage } from '../../http/outage.ts';
import type { Refused } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';

/** What an error while something is made of stored files means to who asked for it. Throws what nobody expected. */
export function refusedByError(error: unknown): Refused<'NOT_FOUND' | 'STORAGE_FULL' | 'UNAVAILABLE'> {
  if (error instanceof FileMissing) return { refused: 'NOT_FOUND' };
  if (isNoRoom(error)) return { refused: 'STORAGE_FULL' };
  if (isOutage(error) || (error instanceof Error && error.name === 'TimeoutError'))
    return { refused: 'UNAVAILABLE' };
  throw error;
}
