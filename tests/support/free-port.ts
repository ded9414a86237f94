import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Ports outside the ephemeral range, so that no connection takes one between the check and its use. */
const FIRST = 10_000;
const LAST = 32_000;

/** Returns the first of `inRow` consecutive free ports on 127.0.0.1. */
export async function freePort(inRow = 1): Promise<number> {
  for (;;) {
    const first = randomInt(FIRST, LAST);
    const row = Array.from({ length: inRow }, (_, index) => first + index);
    if ((await Promise.all(row.map(isFree))).every(Boolean)) return first;
  }
}

function isFree(port: number): Promise<boolean> {
  const probe = createServer();
  return new Promise((resolve) => {
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
