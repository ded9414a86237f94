import { afterEach, expect, test, vi } from 'vitest';
import { takePass } from '../../src/web/ui/take-pass.ts';

/** A pass comes behind the address's «#» and stays nowhere. */

afterEach(() => {
  vi.unstubAllGlobals();
});

function openedAt(hash: string) {
  const replaced: unknown[][] = [];
  vi.stubGlobal('location', { hash, pathname: '/prova' });
  vi.stubGlobal('history', { state: { idx: 2 }, replaceState: (...call: unknown[]) => replaced.push(call) });
  return replaced;
}

test('the whole of it is taken, and out of address bar and history', () => {
  const replaced = openedAt('#abc-123');
  expect(takePass()).toBe('abc-123');
  expect(replaced).toEqual([[{ idx: 2 }, '', '/prova']]);
});

test.each(['', '#'])('an address that ends in «%s» has none, and stays as it is', (hash) => {
  const replaced = openedAt(hash);
  expect(takePass()).toBeNull();
  expect(replaced).toEqual([]);
});
