/**
 * Loaded into a server of its own by `--import`, before anything of the product: at every SIGUSR2 its `Date` jumps ahead by a little more
 * than a minute, or by the milliseconds that `CLOCK_JUMPS` says (a list: one for each signal, in turn). The product knows nothing of it.
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
