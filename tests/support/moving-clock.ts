/**
 * Loaded into a server of its own by `--import`, before anything of the product: at every SIGUSR2 its `Date` jumps ahead by a little more
 * than a minute. The product knows nothing of it.
 */
const JUMP = 61_000;
const RealDate = Date;
let ahead = 0;
process.on('SIGUSR2', () => {
  ahead += JUMP;
});

const now = () => RealDate.now() + ahead;
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values, newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget) as object,
  get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
});
