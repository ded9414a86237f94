/**
 * How much of it a test does: so much in `npm test`, where it shares two cores with all others, and the whole among the long tests, which have
 * the machine and the time for it (`npm run test:long`).
 */
export function ofLong<T>(whole: T, share: T): T {
  return process.env.LONG === undefined ? share : whole;
}
