import { parseAccept } from 'hono/utils/accept';

/** The media types that an `Accept` header names and doesn't refuse; what it says with a star is none of them. */
export function acceptedTypes(accept = ''): Set<string> {
  const wanted = parseAccept(accept).filter(({ q }) => q > 0);
  return new Set(wanted.map(({ type }) => type.toLowerCase()));
}
