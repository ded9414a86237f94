/**
 * How much of it a test does: so much in `npm test`, where it shares two cores with all others, and the whole among the long tests, which have
 * the machine and the time for it (`npm run test:long`).
 */
export function ofLong(whole: number, share: number): number {
  return process.env.LONG === undefined ? share : whole;
}
