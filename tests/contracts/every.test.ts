import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atRest } from '../../src/server/work/at-rest.ts';
import { every } from '../../src/server/work/every.ts';

const SECOND = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const notExpected = (error: unknown) => expect.unreachable(String(error));

/** Rounds that end when they are told to. */
function rounds() {
  const begun: PromiseWithResolvers<void>[] = [];
  const work = () => {
    const round = Promise.withResolvers<void>();
    begun.push(round);
    return round.promise;
  };
  return { begun, work };
}

test('of the rounds that come due during a long one, one is left', async () => {
  const { begun, work } = rounds();
  const sweeper = every(SECOND, work, notExpected);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(begun).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(10 * SECOND);
  sweeper.now();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect(begun).toHaveLength(2);
  begun[1]?.resolve();
  await vi.advanceTimersByTimeAsync(SECOND / 2);
  expect(begun).toHaveLength(2);
  await sweeper.stop();
});

test('a round that fails is told, and the next one comes', async () => {
  const failed = vi.fn();
  const work = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(undefined);
  const sweeper = every(SECOND, work, failed);
  await vi.advanceTimersByTimeAsync(2 * SECOND);
  expect(work).toHaveBeenCalledTimes(2);
  expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('no'));
  await sweeper.stop();
});

test('its end waits for what is under way, and nothing comes after', async () => {
  const { begun, work } = rounds();
  const sweeper = every(SECOND, work, notExpected);
  await vi.advanceTimersByTimeAsync(SECOND);
  const ended = vi.fn();
  void sweeper.stop().then(ended);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(ended).not.toHaveBeenCalled();
  begun[0]?.resolve();
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(ended).toHaveBeenCalledOnce();
  expect(begun).toHaveLength(1);
});

test('what can wait is done at once, whenever something else comes to rest and every so often, until it is stopped', async () => {
  const resting = new Set<() => void>();
  const onRest = (look: () => void) => {
    resting.add(look);
    return () => void resting.delete(look);
  };
  const rest = () => resting.forEach((look) => look());
  const done = vi.fn<(signal: AbortSignal) => Promise<void>>(async () => undefined);
  const stop = atRest({ ms: SECOND, onRest, work: done, failed: notExpected });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledTimes(1);
  rest();
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(SECOND);
  expect(done).toHaveBeenCalledTimes(3);
  const { promise, resolve } = Promise.withResolvers<void>();
  done.mockImplementationOnce(() => promise);
  rest();
  await vi.advanceTimersByTimeAsync(0);
  const stopped = vi.fn();
  void stop().then(stopped);
  await vi.advanceTimersByTimeAsync(0);
  expect(done.mock.lastCall?.[0].aborted).toBe(true);
  expect(stopped).not.toHaveBeenCalled();
  resolve();
  await vi.advanceTimersByTimeAsync(0);
  expect([stopped.mock.calls.length, resting.size]).toEqual([1, 0]);
  await vi.advanceTimersByTimeAsync(5 * SECOND);
  expect(done).toHaveBeenCalledTimes(4);
});
