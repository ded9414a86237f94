import { parseAccept } from 'hono/utils/accept';

/** Returns the media types that an `Accept` header names with a positive quality; ranges with `*` are never equal to a type. */
export function acceptedTypes(accept = ''): Set<string> {
  const wanted = parseAccept(accept).filter(({ q }) => q > 0);
  return new Set(wanted.map(({ type }) => type.toLowerCase()));
}
