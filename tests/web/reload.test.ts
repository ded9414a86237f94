import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** A page that misses code of its own is loaded anew: once, with the typed code, and only where that helps. */

let kept: Map<string, string>;
let script: string;
let view: EventTarget;
let answer: () => Response | Promise<Response>;
const reload = vi.fn<() => void>();
const { isOutdated, reloadOnce, takeTypedCode } = await import('../../src/web/reload.ts');

beforeEach(() => {
  kept = new Map();
  script = '/assets/index-old.js';
  view = new EventTarget();
  answer = () => new Response('<script type="module" src="/assets/index-new.js">');
  reload.mockReset();
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('document', {
    querySelector: (what: string) =>
      what === '#codice' ? { value: 'rom-7kx2' } : { getAttribute: () => script },
  });
  vi.stubGlobal('location', { href: 'http://127.0.0.1/', reload });
  vi.stubGlobal('dispatchEvent', view.dispatchEvent.bind(view));
  vi.stubGlobal('fetch', async () => answer());
});
afterEach(() => vi.unstubAllGlobals());

test('reloads once for each build, and hands over the typed code once', async () => {
  expect(await reloadOnce()).toBe(true);
  expect(takeTypedCode()).toBe('rom-7kx2');
  expect(takeTypedCode()).toBeNull();
  expect(await reloadOnce()).toBe(false);
  script = '/assets/index-new.js';
  expect(await reloadOnce()).toBe(true);
  // A node that has not been updated yet has served the old one again.
  script = '/assets/index-old.js';
  expect(await reloadOnce()).toBe(false);
  expect(reload).toHaveBeenCalledTimes(2);
});

test('stays where the server does not answer, and may reload when it does', async () => {
  for (const lost of [
    () => Promise.reject(new TypeError('Failed to fetch')),
    () => new Response('', { status: 502 }),
  ]) {
    answer = lost;
    expect([await isOutdated(), await reloadOnce()]).toEqual([false, false]);
  }
  expect([reload.mock.calls.length, kept.size]).toEqual([0, 0]);
  answer = () => new Response('new');
  expect([await isOutdated(), await reloadOnce()]).toEqual([true, true]);
});

test('stays where something unsaved would be lost, or nothing can be remembered', async () => {
  const ask = (event: Event) => event.preventDefault();
  view.addEventListener('beforeunload', ask);
  expect(await reloadOnce()).toBe(false);
  view.removeEventListener('beforeunload', ask);
  vi.stubGlobal('sessionStorage', undefined);
  expect(await reloadOnce()).toBe(false);
  expect(reload).not.toHaveBeenCalled();
});
