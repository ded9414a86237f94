/** Upload speed: time (ms) and bytes of the last sample, and the smoothed speed. */
export type UploadSpeed = { at: number; sent: number; bytesPerSecond: number | null };

/** Minimum time between two samples, in ms; shorter ones are too inaccurate. */
const SHORTEST_LOOK_MS = 400;
/** Time constant of the smoothing in ms: two thirds of a change show after it. */
const SMOOTHING_MS = 6_000;

/** Starts a measurement, also after a pause; the speed is unknown. @param at time in ms */
export function startSpeed(at: number, sent: number): UploadSpeed {
  return { at, sent, bytesPerSecond: null };
}

/** Adds a sample. If bytes decreased (a cut chunk is sent again), only the reference point moves. */
export function updateSpeed(pace: UploadSpeed, at: number, sent: number): UploadSpeed {
  if (sent < pace.sent) return { ...pace, at, sent };
  const took = at - pace.at;
  if (took < SHORTEST_LOOK_MS) return pace;
  const measured = ((sent - pace.sent) * 1000) / took;
  const weight = 1 - Math.exp(-took / SMOOTHING_MS);
  const before = pace.bytesPerSecond ?? measured;
  return { at, sent, bytesPerSecond: before + (measured - before) * weight };
}

/** Returns the seconds left at this speed; null while it is unknown. */
export function secondsLeft({ sent, bytesPerSecond }: UploadSpeed, total: number): number | null {
  return bytesPerSecond === null || bytesPerSecond < 1 ? null : (total - sent) / bytesPerSecond;
}
