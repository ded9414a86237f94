import type { ErrorCode } from '../../contract/errors.ts';
import type { Refusal, RefusalDetails } from '../refused.ts';

/** Constructors of a call's declared errors, from oRPC. */
type ErrorMakers<C extends ErrorCode> = { [K in C]: (options: { data: RefusalDetails }) => Error };

/** Error codes of a result's refusals. */
type CodesOf<R> = R extends Refusal<infer C> ? C : never;

/** Returns the result, or throws the contract's error for a refusal. Only for routes; the call must declare every code. */
export function throwIfRefused<R extends object>(
  result: R,
  errors: ErrorMakers<CodesOf<R>>,
): Exclude<R, Refusal> {
  // The rest of the union isn't refused.
  if (!('refused' in result)) return result as Exclude<R, Refusal>;
  // This part of the union is refused.
  const { refused, ...data } = result as unknown as Refusal<CodesOf<R>>;
  throw errors[refused]({ data });
}
