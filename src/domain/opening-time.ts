/** Before this moment a right code opens nothing yet. @param opens_at ISO 8601 in UTC, or null for no such moment */
export function isTooEarly(opens_at: string | null, now: Date): opens_at is string {
  return opens_at !== null && now.getTime() < Date.parse(opens_at);
}

/** Whole seconds from now until a moment, at least one: whoever waits so long doesn't come too early again. */
export function secondsUntil(moment: string, now: Date): number {
  return Math.max(1, Math.ceil((Date.parse(moment) - now.getTime()) / 1_000));
}
