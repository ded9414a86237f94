import type { ErrorCode } from '../contract/errors.ts';

/** An expected «no», as a value. `secondi`: how long to wait before trying again. */
export type Refused<C extends ErrorCode = ErrorCode> = { refused: C; secondi?: number };

export function isRefused<T extends object, C extends ErrorCode>(
  result: T | Refused<C>,
): result is Refused<C> {
  return 'refused' in result;
}
