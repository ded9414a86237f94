/** Returns true before the opening time, when even a correct code opens nothing. @param opens_at ISO 8601 in UTC, or null if not set */
export function isTooEarly(opens_at: string | null, now: Date): opens_at is string {
  return opens_at !== null && now.getTime() < Date.parse(opens_at);
}

/** Returns the whole seconds until a moment, at least one, so that a client that waits for them isn't too early again. */
export function secondsUntil(moment: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(moment) - now.getTime()) / 1_000));
}
