import { afterEach, beforeEach, expect, test, vi } from 'vitest';
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
