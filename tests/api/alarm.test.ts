import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createAlarm } from '../../src/server/work/alarm.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How many milliseconds somebody sleeps who does so now. */
async function slept(sleeping: Promise<void>): Promise<number> {
  const began = Date.now();
  const ended = sleeping.then(() => Date.now() - began);
  await vi.runAllTimersAsync();
  return ended;
}

test('a sleep lasts as long as it should', async () => {
  expect(await slept(createAlarm().sleep(2_000))).toBe(2_000);
});

test('a ring cuts it short', async () => {
  const { sleep, ring } = createAlarm();
  const sleeping = sleep(2_000);
  ring(100);
  expect(await slept(sleeping)).toBe(100);
});

test('those that follow don’t put it off', async () => {
  const { sleep, ring } = createAlarm();
  const sleeping = sleep(2_000);
  ring(100);
  await vi.advanceTimersByTimeAsync(60);
  ring(100);
  expect(await slept(sleeping)).toBe(40);
});

test('one before it cuts it short, too, the shortest of several, once', async () => {
  const { sleep, ring } = createAlarm();
  for (const delay of [300, 100, 200]) ring(delay);
  expect(await slept(sleep(2_000))).toBe(100);
  expect(await slept(sleep(2_000))).toBe(2_000);
});

test('a sleep that was cut short doesn’t end the next one', async () => {
  const { sleep, ring } = createAlarm();
  const first = sleep(2_000);
  ring(100);
  await vi.advanceTimersByTimeAsync(100);
  await first;
  expect(await slept(sleep(5_000))).toBe(5_000);
});

test('none makes it longer', async () => {
  const { sleep, ring } = createAlarm();
  ring(5_000);
  expect(await slept(sleep(2_000))).toBe(2_000);
});
