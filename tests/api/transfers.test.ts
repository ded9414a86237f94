import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTransfers, type Transfers } from '../../src/server/live/transfers.ts';

/** Bodies under way, and the right to them. tests/api/media-right.test.ts shows the same over HTTP. */

let warned: string[];
let transfers: Transfers;
beforeEach(() => {
  vi.useFakeTimers();
  warned = [];
  const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) });
  transfers = createTransfers({ log });
});
afterEach(() => {
  transfers.close();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a body is cut within a second of its right’s end, and no other is', async () => {
  const [his, hers] = [vi.fn<() => void>(), vi.fn<() => void>()];
  let right = true;
  transfers.hold(his, async () => right);
  transfers.hold(hers);
  await pass(5_000);
  expect(his).not.toHaveBeenCalled();
  right = false;
  await pass(1_000);
  expect(his).toHaveBeenCalled();
  expect(hers).not.toHaveBeenCalled();
});

test('one that has ended isn’t asked about any more', async () => {
  const [cut, allowed] = [vi.fn<() => void>(), vi.fn<() => Promise<boolean>>(async () => false)];
  transfers.hold(cut, allowed)();
  await pass(2_000);
  expect([cut, allowed].map((each) => each.mock.calls.length)).toEqual([0, 0]);
});

test('a right that can’t be read is told, cuts nothing, and is asked for again', async () => {
  const cut = vi.fn<() => void>();
  const allowed = vi.fn<() => Promise<boolean>>(async () => false);
  allowed.mockRejectedValueOnce(new Error('no database'));
  transfers.hold(cut, allowed);
  await pass(500);
  expect([cut.mock.calls.length, warned.length]).toEqual([0, 1]);
  await pass(500);
  expect([cut.mock.calls.length, warned.length]).toEqual([1, 1]);
});

test('an answer that is long in coming is waited for before the next is asked', async () => {
  const asked = vi.fn<() => Promise<boolean>>(
    () => new Promise((resolve) => setTimeout(resolve, 3_000, true)),
  );
  transfers.hold(() => undefined, asked);
  await pass(3_000);
  expect(asked).toHaveBeenCalledOnce();
  await pass(1_000);
  expect(asked).toHaveBeenCalledTimes(2);
});

test('a server that stops cuts them all, and whatever still comes', () => {
  const [before, after] = [vi.fn<() => void>(), vi.fn<() => void>()];
  transfers.hold(before);
  transfers.close();
  transfers.hold(after);
  expect([before, after].map((cut) => cut.mock.calls.length)).toEqual([1, 1]);
});
