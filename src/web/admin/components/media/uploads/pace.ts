/** Upload speed: time (ms) and bytes of the last sample, and the smoothed speed. */
export type UploadSpeed = { at: number; sent: number; bytesPerSecond: number | null };

/** Minimum time between two samples, in ms; shorter ones are too inaccurate. */
const MIN_SAMPLE_MS = 400;
/** Time constant of the smoothing in ms: two thirds of a change show after it. */
const SMOOTHING_MS = 6_000;

/** Starts a measurement, also after a pause; the speed is unknown. @param at time in ms */
export function startSpeed(at: number, sent: number): UploadSpeed {
  return { at, sent, bytesPerSecond: null };
}

/** Adds a sample. If bytes decreased (a cut chunk is sent again), only the reference point moves. */
export function updateSpeed(speed: UploadSpeed, at: number, sent: number): UploadSpeed {
  if (sent < speed.sent) return { ...speed, at, sent };
  const elapsedMs = at - speed.at;
  if (elapsedMs < MIN_SAMPLE_MS) return speed;
  const measured = ((sent - speed.sent) * 1000) / elapsedMs;
  const weight = 1 - Math.exp(-elapsedMs / SMOOTHING_MS);
  const before = speed.bytesPerSecond ?? measured;
  return { at, sent, bytesPerSecond: before + (measured - before) * weight };
}

/** Returns the seconds left at this speed; null while it is unknown. */
export function secondsLeft({ sent, bytesPerSecond }: UploadSpeed, total: number): number | null {
  return bytesPerSecond === null || bytesPerSecond < 1 ? null : (total - sent) / bytesPerSecond;
}
