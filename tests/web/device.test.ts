import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { deviceId as deviceIdSchema } from '../../src/contract/visit.ts';

/** The device's name, made once per browser. Each page load is a fresh copy of the module. */

const NOW = Date.parse('2026-11-20T20:00:00.000Z');

async function load(): Promise<() => string> {
  vi.resetModules();
  return (await import('../../src/web/visitor/access/device.ts')).deviceId;
}

function storage(): Map<string, string> {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
  return kept;
}

beforeEach(() => void vi.useFakeTimers({ now: NOW, toFake: ['Date'] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('is the word device, the time it was made and a random string, as the server takes it', async () => {
  storage();
  const id = (await load())();
  expect(id).toMatch(/^device-\d+-[0-9a-z]{16}$/);
  expect(id.split('-')[1]).toBe(String(NOW));
  expect(deviceIdSchema.safeParse(id).success).toBe(true);
});

test('is another one in another browser, at the same moment', async () => {
  const ids = new Set<string>();
  for (let browser = 0; browser < 50; browser += 1) {
    storage();
    ids.add((await load())());
  }
  expect(ids.size).toBe(50);
});

test('stays the same for this browser: it is kept in local storage', async () => {
  const kept = storage();
  const id = (await load())();
  expect([...kept.values()]).toEqual([id]);
  vi.setSystemTime(NOW + 86_400_000);
  expect((await load())()).toBe(id);
});

test('where nothing can be stored it lives as long as the page', async () => {
  vi.stubGlobal('localStorage', {
    getItem: () => {
      throw new DOMException('no', 'SecurityError');
    },
    setItem: () => {
      throw new DOMException('no', 'SecurityError');
    },
  });
  const deviceId = await load();
  expect(deviceId()).toBe(deviceId());
  expect((await load())()).not.toBe(deviceId());
});

test.each(['', 'è mio', 'x'.repeat(101)])('what the server would refuse is no id: «%s»', async (stored) => {
  const kept = storage();
  kept.set('device_id', stored);
  const id = (await load())();
  expect(id).toMatch(/^device-/);
  expect([...kept.values()]).toEqual([id]);
});
