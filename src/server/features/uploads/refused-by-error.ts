import { isDiskFull } from '../../db/errors.ts';
import { isServiceUnavailable } from '../../http/outage.ts';
import { type Refusal, refuse } from '../../refused.ts';
import { FileMissing } from '../../storage/storage.ts';

/** Converts an error of work on stored files to a refusal. Throws unexpected errors. */
export function errorToRefusal(error: unknown): Refusal<'NOT_FOUND' | 'STORAGE_FULL' | 'UNAVAILABLE'> {
  if (error instanceof FileMissing) return refuse('NOT_FOUND');
  if (isDiskFull(error)) return refuse('STORAGE_FULL');
  if (isServiceUnavailable(error) || (error instanceof Error && error.name === 'TimeoutError'))
    return refuse('UNAVAILABLE');
  throw error;
}
