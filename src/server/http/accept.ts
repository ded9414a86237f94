import { parseAccept } from 'hono/utils/accept';

/** Returns the media types that an `Accept` header names with a positive quality; ranges with `*` are never equal to a type. */
export function acceptedTypes(accept = ''): Set<string> {
  const accepted = parseAccept(accept).filter(({ q }) => q > 0);
  return new Set(accepted.map(({ type }) => type.toLowerCase()));
}
