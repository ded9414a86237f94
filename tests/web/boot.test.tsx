import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isOutdated, reloadOnce, takeTypedCode } from '../../src/web/reload.ts';

/** Loading of the scripts after the first paint, with retries, and the reload of pages of an earlier build. */

beforeEach(() => void vi.useFakeTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const happens = (name: string) => fireEvent(window, new Event(name));

describe('script loading', () => {
  let painted: (() => void) | undefined;
  let failures: number;
  let fetched: number;
  const observer = (supportedEntryTypes: string[]) =>
    class {
      static supportedEntryTypes = supportedEntryTypes;
      constructor(onPaint: () => void) {
        painted = onPaint;
      }
      observe(): void {}
    };
  beforeEach(() => {
    vi.resetModules();
    [painted, failures, fetched] = [undefined, 0, 0];
    delete document.documentElement.dataset['form'];
    vi.stubGlobal('PerformanceObserver', observer(['paint']));
    vi.doMock('../../src/web/reload.ts', () => ({ reloadOnce: async () => false }));
    vi.doMock('../../src/web/main.tsx', () => {
      fetched += 1;
      if (fetched <= failures) throw new TypeError('Failed to fetch');
      return {};
    });
  });
  afterEach(() => {
    vi.doUnmock('../../src/web/main.tsx');
    vi.doUnmock('../../src/web/reload.ts');
    vi.resetModules();
  });
  const open = () => import('../../src/web/boot.ts');
  const settled = (times: number) => vi.waitFor(() => expect(fetched).toBe(times));
  const hide = () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);

  test('starts once, after the first paint', async () => {
    await open();
    await pass(2_499);
    expect(fetched).toBe(0);
    painted?.();
    await settled(1);
    painted?.();
    await pass(60_000);
    expect(fetched).toBe(1);
  });

  test.each<[string, () => unknown, () => unknown]>([
    ['after 2.5 s without a word of it', () => {}, () => pass(2_500)],
    ['with a code that is sent before', () => {}, () => happens('submit')],
    ['at once in the background', hide, () => {}],
    [
      'at once in a browser that tells of no paint',
      () => vi.stubGlobal('PerformanceObserver', observer([])),
      () => {},
    ],
  ])('starts %s', async (when, be, go) => {
    be();
    await open();
    await go();
    await settled(1);
    expect(document.documentElement.dataset['form']).toBe(when.startsWith('with') ? 'early' : undefined);
  });

  test('retries every 2 s after a failed request', async () => {
    failures = 2;
    hide();
    await open();
    await settled(1);
    await pass(1_900);
    expect(fetched).toBe(1);
    await pass(100);
    await settled(2);
    await pass(2_000);
    await settled(3);
    await pass(60_000);
    expect(fetched).toBe(3);
  });
});

describe('experience chunk', () => {
  const PAGE = '../../src/web/visitor/experience/page.tsx';
  afterEach(() => {
    vi.doUnmock(PAGE);
    vi.resetModules();
  });

  test('prepares the letter during typing, but not with data saving on, and opens it despite errors', async () => {
    vi.resetModules();
    const actions: string[] = [];
    vi.doMock(PAGE, () => ({
      prepareLetter: async () => actions.push('prepared'),
      openLetter: async () => {
        actions.push('opened');
        throw new Error('no room for it');
      },
    }));
    const chunk = await import('../../src/web/experience-chunk.ts');
    vi.stubGlobal('navigator', { connection: { saveData: true } });
    chunk.prepareExperience();
    await chunk.loadExperience();
    expect(actions).toEqual([]);
    vi.stubGlobal('navigator', {});
    chunk.prepareExperience();
    await vi.waitFor(() => expect(actions).toEqual(['prepared']));
    expect(chunk.loadExperience()).toBe(chunk.loadExperience());
    chunk.openWith(({ openLetter }) => openLetter());
    await vi.waitFor(() => expect(actions).toEqual(['prepared', 'opened']));
  });
});

describe('page of an earlier build', () => {
  let answer: () => Response | Promise<Response>;
  let reload: ReturnType<typeof vi.fn>;
  const script = (src: string) => {
    document.body.innerHTML = `<script type="module" data-src src="${src}"></script><input id="codice" value="rom-7kx2">`;
  };
  beforeEach(() => {
    script('/assets/index-old.js');
    answer = () => new Response('<script type="module" src="/assets/index-new.js">');
    reload = vi.spyOn(location, 'reload').mockReturnValue() as never;
    vi.stubGlobal('fetch', async () => answer());
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    sessionStorage.clear();
    document.body.replaceChildren();
  });

  test('reloads once per build, and restores the typed code once', async () => {
    expect(await reloadOnce()).toBe(true);
    expect([takeTypedCode(), takeTypedCode()]).toEqual(['rom-7kx2', null]);
    expect(await reloadOnce()).toBe(false);
    script('/assets/index-new.js');
    expect(await reloadOnce()).toBe(true);
    // A node that is not updated yet has served the old build again.
    script('/assets/index-old.js');
    expect(await reloadOnce()).toBe(false);
    expect(reload).toHaveBeenCalledTimes(2);
  });

  test('does not reload if the server fails, unsaved input would be lost or storage is unavailable', async () => {
    for (const lost of [
      () => Promise.reject(new TypeError('Failed to fetch')),
      () => new Response('', { status: 502 }),
    ]) {
      answer = lost;
      expect([await isOutdated(), await reloadOnce()]).toEqual([false, false]);
    }
    expect([reload.mock.calls.length, sessionStorage.length]).toEqual([0, 0]);
    answer = () => new Response('new');
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    expect(await reloadOnce()).toBe(false);
    removeEventListener('beforeunload', ask);
    expect([await isOutdated(), await reloadOnce()]).toEqual([true, true]);
    vi.stubGlobal('sessionStorage', undefined);
    expect([await reloadOnce(), reload.mock.calls.length]).toEqual([false, 1]);
  });
});
