import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { measureLine } from '../../src/web/diagnosis/measure-line.ts';

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A line whose answers take so long each, in milliseconds, and a film that brings `bytes` in `ms`. */
function line(delays: number[], { bytes, ms }: { bytes: number; ms: number }) {
  const asked = vi.fn<typeof fetch>(async (_url, init) => {
    now += init?.method === 'HEAD' ? (delays.shift() ?? 0) : ms;
    return new Response(init?.method === 'HEAD' ? null : new Uint8Array(bytes));
  });
  vi.stubGlobal('fetch', asked);
  return () => asked.mock.calls.filter(([, init]) => init?.method === 'GET').length;
}

test('a line is as fast as the film came, and as late as its middle answer after the first', async () => {
  const loads = line([1, 40, 60, 20, 80], { bytes: 1_500_000, ms: 1_000 });
  expect(await measureLine()).toEqual({ mbit: 12, delay_ms: 60 });
  expect(loads()).toBe(4);
});

test('a fast line is asked for so many bytes and no more', async () => {
  const loads = line([1, 1, 1, 1, 1], { bytes: 3_000_000, ms: 100 });
  expect(await measureLine()).toMatchObject({ mbit: 240 });
  expect(loads()).toBe(2);
});

test('no line, or somebody else’s answer, is one that brings nothing', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await measureLine()).toEqual({ mbit: 0 });
  vi.stubGlobal('fetch', async () => new Response('Accedi al Wi-Fi', { status: 511 }));
  expect(await measureLine()).toEqual({ mbit: 0 });
});
