import type { ErrorCode } from '../../contract/errors.ts';
import type { Refusal, RefusalDetails } from '../refused.ts';

/** The makers of a call's declared errors, as oRPC hands them to its handler. */
type ErrorMakers<C extends ErrorCode> = { [K in C]: (options: { data: RefusalDetails }) => Error };

/** The codes a result may refuse with. */
type CodesOf<R> = R extends Refusal<infer C> ? C : never;

/** The result, or the contract's error thrown in its place. Only routes call it; every code must be one the call declares. */
export function throwIfRefused<R extends object>(
  result: R,
  errors: ErrorMakers<CodesOf<R>>,
): Exclude<R, Refusal> {
  // What isn't refused is the rest of the union.
  if (!('refused' in result)) return result as Exclude<R, Refusal>;
  // And what is refused is the refused part of it.
  const { refused, ...data } = result as unknown as Refusal<CodesOf<R>>;
  throw errors[refused]({ data });
}
