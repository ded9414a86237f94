/**
 * Loaded into a server process by `--import`, before the product: each SIGUSR2 moves its `Date` ahead by a little more
 * than a minute, or by the milliseconds in `CLOCK_JUMPS` (a list: one per signal, in turn).
 */
const jumps = (process.env.CLOCK_JUMPS ?? '61000').split(',').map(Number);
let signals = 0;
const RealDate = Date;
let ahead = 0;
process.on('SIGUSR2', () => {
  ahead += jumps[signals % jumps.length] ?? 0;
  signals += 1;
  process.stderr.write(`the clock is ${ahead} ms ahead\n`);
});

const now = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as object,
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
