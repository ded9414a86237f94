import type { ErrorCode, ErrorDetails } from '../contract/errors.ts';

/**
 * An expected error, returned as a value. `secondi`: seconds to wait before the next attempt; `line`: faulty line of a text, from 1;
 * `opens_at`: opening time that hasn't come yet.
 */
export type Refusal<C extends ErrorCode = ErrorCode> = { refused: C } & RefusalDetails;
export type RefusalDetails = ErrorDetails;

export function refuse<C extends ErrorCode>(refused: C, details: RefusalDetails = {}): Refusal<C> {
  return { refused, ...details };
}

/** Returns true if the result is a refusal. */
export function isRefused<R>(result: R): result is Extract<R, Refusal> {
  return typeof result === 'object' && result !== null && 'refused' in result;
}
