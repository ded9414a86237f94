import type { ErrorCode, ErrorDetails } from '../contract/errors.ts';

/**
 * An expected «no», as a value. `secondi`: how long to wait before trying again; `line`: the line of a text that is at fault, from 1;
 * `opens_at`: the moment before which somebody came.
 */
export type Refusal<C extends ErrorCode = ErrorCode> = { refused: C } & RefusalDetails;
export type RefusalDetails = ErrorDetails;

/** Is this result a refusal? */
export function isRefused<R extends object>(result: R): result is Extract<R, Refusal> {
  return 'refused' in result;
}
