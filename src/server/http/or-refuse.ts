import type { ErrorCode } from '../../contract/errors.ts';
import type { RefusalDetails, Refused } from '../refused.ts';

/** The makers of a call's declared errors, as oRPC hands them to its handler. */
type ErrorMakers<C extends ErrorCode> = { [K in C]: (options: { data: RefusalDetails }) => Error };

/** The codes a result may refuse with. */
type CodesOf<R> = R extends Refused<infer C> ? C : never;

/** The result, or the contract's error thrown in its place. Only routes call it; every code must be one the call declares. */
export function orRefuse<R extends object>(result: R, errors: ErrorMakers<CodesOf<R>>): Exclude<R, Refused> {
  // What isn't refused is the rest of the union.
  if (!('refused' in result)) return result as Exclude<R, Refused>;
  // And what is refused is the refused part of it.
  const { refused, ...data } = result as unknown as Refused<CodesOf<R>>;
  throw errors[refused]({ data });
}
