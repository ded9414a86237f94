import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { NO_LEASES, UploadLocked } from '../../src/server/features/uploads/leases.ts';
import { createTurns } from '../../src/server/features/uploads/turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const waiting = () => new AbortController().signal;

test('whoever comes asks the holder to leave, once, and has its turn when it has left', async () => {
  const turns = createTurns(NO_LEASES);
  const asked = vi.fn<() => void>();
  const first = turns.newLock('a');
  await first.lock(waiting(), asked);
  const came = vi.fn<() => void>();
  const second = turns
    .newLock('a')
    .lock(waiting(), () => undefined)
    .then(came);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([asked.mock.calls.length, came.mock.calls.length]).toEqual([1, 0]);
  await first.unlock();
  await second;
  expect([asked.mock.calls.length, came.mock.calls.length]).toEqual([1, 1]);
});

test('another upload waits for nobody', async () => {
  const turns = createTurns(NO_LEASES);
  const asked = vi.fn<() => void>();
  await turns.newLock('a').lock(waiting(), asked);
  await turns.newLock('b').lock(waiting(), () => undefined);
  expect(asked).not.toHaveBeenCalled();
});

test('a holder that doesn’t leave in ten seconds is waited for no longer, nor by who has gone', async () => {
  const turns = createTurns(NO_LEASES);
  await turns.newLock('a').lock(waiting(), () => undefined);
  const late = expect(turns.newLock('a').lock(waiting(), () => undefined)).rejects.toBeInstanceOf(
    UploadLocked,
  );
  await vi.advanceTimersByTimeAsync(10_000);
  await late;
  const gone = new AbortController();
  const leaving = expect(turns.newLock('a').lock(gone.signal, () => undefined)).rejects.toBeInstanceOf(
    UploadLocked,
  );
  await vi.advanceTimersByTimeAsync(0);
  gone.abort();
  await leaving;
});
