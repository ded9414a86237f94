import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSemaphore } from '../../src/server/work/semaphore.ts';
import { startInterval } from '../../src/server/work/timers.ts';

const SECOND = 1_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const notExpected = (error: unknown) => expect.unreachable(String(error));

describe('startInterval', () => {
  it('runs one round for those that come due during a long one, and stopping waits for it', async () => {
    const begun: PromiseWithResolvers<void>[] = [];
    const work = () => {
      const round = Promise.withResolvers<void>();
      begun.push(round);
      return round.promise;
    };
    const sweeper = startInterval(SECOND, work, notExpected);
    await pass(SECOND);
    expect(begun).toHaveLength(1);
    await pass(10 * SECOND);
    sweeper.now();
    expect(begun).toHaveLength(1);
    begun[0]?.resolve();
    await pass(0);
    expect(begun).toHaveLength(2);
    begun[1]?.resolve();
    await pass(SECOND / 2);
    expect(begun).toHaveLength(2);
    await pass(SECOND);
    const ended = vi.fn();
    void sweeper.stop().then(ended);
    await pass(5 * SECOND);
    expect(ended).not.toHaveBeenCalled();
    begun[2]?.resolve();
    await pass(5 * SECOND);
    expect(ended).toHaveBeenCalledOnce();
    expect(begun).toHaveLength(3);
  });

  it('reports a failed round and continues', async () => {
    const failed = vi.fn();
    const work = vi.fn().mockRejectedValueOnce(new Error('no')).mockResolvedValue(undefined);
    const sweeper = startInterval(SECOND, work, failed);
    await pass(2 * SECOND);
    expect(work).toHaveBeenCalledTimes(2);
    expect(failed).toHaveBeenCalledExactlyOnceWith(new Error('no'));
    await sweeper.stop();
  });
});

it('runs work that can be woken at once, at each event and at intervals, until it is stopped', async () => {
  const listeners = new Set<() => void>();
  const subscribeIdle = (look: () => void) => {
    listeners.add(look);
    return () => void listeners.delete(look);
  };
  const becomeIdle = () => {
    for (const look of listeners) look();
    return pass(0);
  };
  const done = vi.fn<(signal: AbortSignal) => Promise<void>>(async () => undefined);
  const { stop } = startInterval(SECOND, done, notExpected, subscribeIdle);
  await pass(0);
  expect(done).toHaveBeenCalledTimes(1);
  await becomeIdle();
  expect(done).toHaveBeenCalledTimes(2);
  await pass(SECOND);
  expect(done).toHaveBeenCalledTimes(3);
  done.mockImplementationOnce(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  await becomeIdle();
  await stop();
  await pass(5 * SECOND);
  expect([listeners.size, done.mock.calls.length]).toEqual([0, 4]);
});

describe('semaphore for one task', () => {
  it('runs one task at a time, even after a failed one', async () => {
    const inTurn = createSemaphore(1);
    const first = Promise.withResolvers<string>();
    const done: string[] = [];
    const works = [
      inTurn.run(() => first.promise.finally(() => done.push('first'))).catch(() => undefined),
      inTurn
        .run(() => {
          throw new Error('Thrown before the first await.');
        })
        .catch(() => undefined),
      inTurn.run(async () => done.push('second')),
      inTurn.run(async () => done.push('third')),
    ];
    await pass(0);
    expect(done).toEqual([]);
    first.reject(new Error('A file that nobody can read.'));
    await Promise.all(works);
    expect(done).toEqual(['first', 'second', 'third']);
  });

  it('removes an aborted task at once; the next one still waits for the running one', async () => {
    const inTurn = createSemaphore(1);
    const first = Promise.withResolvers<void>();
    const stopping = new AbortController();
    const done: string[] = [];
    const working = inTurn.run(() => first.promise.finally(() => done.push('first')));
    const stopped = inTurn.run(async () => done.push('stopped'), { signal: stopping.signal });
    const next = inTurn.run(async () => done.push('next'));
    stopping.abort(new Error('Stopped.'));
    await expect(stopped).rejects.toThrow('Stopped.');
    expect(done).toEqual([]);
    first.resolve();
    await Promise.all([working, next]);
    expect(done).toEqual(['first', 'next']);
    await expect(inTurn.run(async () => 'done', { signal: stopping.signal })).rejects.toThrow('Stopped.');
    expect(inTurn.isIdle()).toBe(true);
  });
});
