import { afterEach, expect, test, vi } from 'vitest';
import { randomUuid } from '../../src/web/random-uuid.ts';

afterEach(() => vi.unstubAllGlobals());

test.each([
  [0x00, '00000000-0000-4000-8000-000000000000'],
  [0xff, 'ffffffff-ffff-4fff-bfff-ffffffffffff'],
])('over plain http a page makes its own, of version 4: of bytes %i it is %s', (byte, uuid) => {
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(byte) });
  expect(randomUuid()).toBe(uuid);
});

test('every byte has its place in it', () => {
  const count = (bytes: Uint8Array) => bytes.map((_, place) => place * 0x11);
  vi.stubGlobal('crypto', { getRandomValues: count });
  expect(randomUuid()).toBe('00112233-4455-4677-8899-aabbccddeeff');
});

test('where the browser makes them it does', () => {
  vi.stubGlobal('crypto', { randomUUID: () => 'its own' });
  expect(randomUuid()).toBe('its own');
});
