import { afterEach, expect, test, vi } from 'vitest';
import { NO_LEASES, UploadLocked } from '../../src/server/features/uploads/leases.ts';
import { createTurns } from '../../src/server/features/uploads/turns.ts';

const SECOND = 1_000;
const never = new AbortController().signal;
const stays = () => undefined;

afterEach(() => vi.useRealTimers());

test('whoever doesn’t leave on another node is asked again and again, and after fifteen seconds it is locked', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const ask = vi.fn(async () => true);
  const turns = createTurns({ ...NO_LEASES, take: async () => null, ask });
  const refused = vi.fn();
  const waiting = turns.newLock('a').lock(never, stays).catch(refused);
  await vi.waitFor(() => expect(ask.mock.calls.length).toBeGreaterThan(2));
  vi.advanceTimersByTime(14 * SECOND);
  const asked = ask.mock.calls.length;
  await vi.waitFor(() => expect(ask.mock.calls.length).toBeGreaterThan(asked + 1));
  expect(refused).not.toHaveBeenCalled();
  vi.advanceTimersByTime(2 * SECOND);
  await waiting;
  expect(refused).toHaveBeenCalledExactlyOnceWith(expect.any(UploadLocked));
  expect(new UploadLocked()).toMatchObject({ status_code: 423, body: 'UPLOAD_LOCKED' });
});

test('who gives up waiting stands in nobody’s way', async () => {
  let free = false;
  const take: typeof NO_LEASES.take = (key) => (free ? NO_LEASES.take(key) : Promise.resolve(null));
  const turns = createTurns({ ...NO_LEASES, take });
  const leaving = new AbortController();
  const waiting = turns.newLock('a').lock(leaving.signal, stays);
  leaving.abort();
  await expect(waiting).rejects.toThrow(UploadLocked);
  free = true;
  await turns.newLock('a').lock(never, stays);
});

test('a lease that another node wants asks its holder to leave', async () => {
  const wanted = new AbortController();
  const lease = await NO_LEASES.take('');
  if (lease === null) return expect.unreachable();
  const turns = createTurns({ ...NO_LEASES, take: async () => ({ ...lease, signal: wanted.signal }) });
  const askToLeave = vi.fn();
  await turns.newLock('a').lock(never, askToLeave);
  expect(askToLeave).not.toHaveBeenCalled();
  wanted.abort();
  expect(askToLeave).toHaveBeenCalledOnce();
});
