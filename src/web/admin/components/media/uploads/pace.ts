/** How fast bytes leave: the last look, and the speed smoothed over the looks before it. */
export type UploadSpeed = { at: number; sent: number; bytesPerSecond: number | null };

/** Looks closer together than this, in milliseconds, say nothing of the speed. */
const SHORTEST_LOOK_MS = 400;
/** A change of speed shows by two thirds after this long, in milliseconds. */
const SMOOTHING_MS = 6_000;

/** The beginning, or a new one after a pause: nothing is known of the speed. @param at milliseconds */
export function startSpeed(at: number, sent: number): UploadSpeed {
  return { at, sent, bytesPerSecond: null };
}

/** The pace after another look. Bytes that were taken back (a cut chunk is sent again) begin it anew. */
export function updateSpeed(pace: UploadSpeed, at: number, sent: number): UploadSpeed {
  if (sent < pace.sent) return { ...pace, at, sent };
  const took = at - pace.at;
  if (took < SHORTEST_LOOK_MS) return pace;
  const measured = ((sent - pace.sent) * 1000) / took;
  const weight = 1 - Math.exp(-took / SMOOTHING_MS);
  const before = pace.bytesPerSecond ?? measured;
  return { at, sent, bytesPerSecond: before + (measured - before) * weight };
}

/** Seconds until the end at this pace; null while nobody can say. */
export function secondsLeft({ sent, bytesPerSecond }: UploadSpeed, total: number): number | null {
  return bytesPerSecond === null || bytesPerSecond < 1 ? null : (total - sent) / bytesPerSecond;
}
