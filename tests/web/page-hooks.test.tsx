import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { HEARTBEAT_MS } from '../../src/domain/limits.ts';
import { useKeepsake } from '../../src/web/keepsake/use-keepsake.ts';
import { findRehearsal, mayGoOn } from '../../src/web/visitor/rehearsal/find-rehearsal.ts';
import { useOpening } from '../../src/web/visitor/rehearsal/use-opening.ts';

/** Pages that ask whether they may go on being shown: the keepsake, and a rehearsal on a guest's phone. */

let asked: string[];
let reply: (path: string) => Response | Promise<Response>;
let hash: string;
let at: AtWork<unknown> | undefined;

const json = (body: unknown, status = 200) => Response.json(body, { status });
const refused = (status: number, codice: string) => json({ codice, messaggio: codice }, status);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  [asked, hash, at] = [[], '', undefined];
  vi.stubGlobal('location', {
    get hash() {
      return hash;
    },
    pathname: '/prova',
  });
  vi.stubGlobal('history', { state: null, replaceState: () => (hash = '') });
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path.replace('/api/', ''));
    return reply(path);
  });
});
afterEach(() => {
  for (const name of ['visibilityState', 'hidden']) Reflect.deleteProperty(document, name);
});

type AtWork<T> = Awaited<ReturnType<typeof atWork<T>>>;
async function atWork<T>(use: () => T) {
  const { result, unmount } = renderHook(use);
  const does = (run: () => unknown) => act(async () => void (await run()));
  return { now: () => result.current, does, leave: () => unmount() };
}

const settle = () => at?.does(() => new Promise((resolve) => setImmediate(resolve)));
const become = async (visibilityState: string) => {
  const shown = { visibilityState, hidden: visibilityState === 'hidden' };
  for (const [name, value] of Object.entries(shown))
    Object.defineProperty(document, name, { configurable: true, value });
  await at?.does(() => document.dispatchEvent(new Event('visibilitychange')));
  await settle();
};
const beat = async () => {
  await at?.does(() => vi.advanceTimersByTime(HEARTBEAT_MS));
  await settle();
};

describe('the keepsake', () => {
  const evening = { said: 'everything' } as unknown as Parameters<ReturnType<typeof useKeepsake>['show']>[0];
  const open = async () => {
    const work = await atWork(useKeepsake);
    at = work;
    await settle();
    return work;
  };
  const state = (work: AtWork<ReturnType<typeof useKeepsake>>) => work.now().shown.state;

  test.each<[string, () => Response, string]>([
    ['is there and waits for the code', () => json({ open: false }), 'closed'],
    ['is there, and still asks for the code in a page that hasn’t it', () => json({ open: true }), 'closed'],
    ['is not for this device', () => refused(404, 'NOT_FOUND'), 'gone'],
    ['can’t be asked about', () => refused(503, 'UNAVAILABLE'), 'failed'],
  ])('%s', async (_what, answer, becomes) => {
    reply = answer;
    expect(state(await open())).toBe(becomes);
  });

  test.each<[string, () => Response, string]>([
    ['the server still lets it', () => json({ open: true }), 'open'],
    ['the server has closed it', () => json({ open: false }), 'closed'],
    ['it is over', () => refused(404, 'NOT_FOUND'), 'gone'],
    ['nobody answers', () => refused(503, 'UNAVAILABLE'), 'open'],
  ])('once open is asked about every half minute: where %s', async (_what, answer, becomes) => {
    reply = () => json({ open: false });
    const work = await open();
    await work.does(() => work.now().show(evening));
    expect(work.now().shown).toEqual({ state: 'open', evening });
    reply = answer;
    await beat();
    expect(state(work)).toBe(becomes);
  });

  test('closed, it stays so while nobody answers', async () => {
    reply = () => json({ open: false });
    const work = await open();
    reply = () => refused(503, 'UNAVAILABLE');
    await beat();
    expect(state(work)).toBe('closed');
  });

  test('is asked about only while it is seen, and at once when it is seen again', async () => {
    reply = () => json({ open: false });
    const work = await open();
    await become('hidden');
    await beat();
    expect(asked).toHaveLength(1);
    await become('visible');
    expect(asked).toHaveLength(2);
    work.leave();
    at = undefined;
    vi.advanceTimersByTime(HEARTBEAT_MS);
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
    expect(asked).toHaveLength(2);
  });

  test('is let go when the page is left, and asked about when it comes back from the browser’s memory', async () => {
    reply = () => json({ open: true });
    const work = await open();
    await work.does(() => work.now().show(evening));
    await work.does(() => window.dispatchEvent(new Event('pagehide')));
    expect(state(work)).toBe('asking');
    await work.does(() => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: false })));
    expect(asked).toHaveLength(1);
    await work.does(() => window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })));
    await settle();
    expect([asked.length, state(work)]).toEqual([2, 'closed']);
  });
});

describe('a rehearsal', () => {
  const content = (as: 'guest' | 'admin') => json({ as, version: 'v' });
  let entered: () => Response;
  let read: () => Response | Promise<Response>;
  beforeEach(() => {
    entered = () => json({});
    read = () => content('guest');
    reply = (path) => (path.endsWith('/enter') ? entered() : read());
  });

  test.each<[string, string | null, () => Response, () => Response, string]>([
    [
      'nobody is signed in, and there is no pass',
      null,
      () => json({}),
      () => refused(401, 'SIGN_IN_REQUIRED'),
      'stranger',
    ],
    [
      'the pass is over',
      'p',
      () => refused(410, 'REHEARSAL_OVER'),
      () => refused(401, 'SIGN_IN_REQUIRED'),
      'over',
    ],
    [
      'the pass isn’t even one',
      'p',
      () => refused(400, 'BAD_INPUT'),
      () => refused(401, 'SIGN_IN_REQUIRED'),
      'over',
    ],
    [
      'the pass is over, but who asks is signed in',
      'p',
      () => refused(410, 'REHEARSAL_OVER'),
      () => content('admin'),
      'open',
    ],
    [
      'the pass is over, and the evening isn’t ready',
      'p',
      () => refused(410, 'REHEARSAL_OVER'),
      () => refused(409, 'NOT_READY'),
      'unready',
    ],
    [
      'the network is lost at the door',
      'p',
      () => refused(503, 'UNAVAILABLE'),
      () => content('guest'),
      'failed',
    ],
    ['the pass is good', 'p', () => json({}), () => content('guest'), 'open'],
  ])('where %s', async (_what, pass, door, evening, state) => {
    [entered, read] = [door, evening];
    expect((await findRehearsal(pass)).state).toBe(state);
    expect(asked.includes('rehearsal/enter')).toBe(pass !== null);
  });

  test.each<[string, () => Response, boolean]>([
    ['it is open', () => content('guest'), true],
    ['its pass was taken back', () => refused(410, 'REHEARSAL_OVER'), false],
    ['nobody knows it', () => refused(401, 'SIGN_IN_REQUIRED'), false],
    ['nobody answers', () => refused(503, 'UNAVAILABLE'), true],
    ['it isn’t ready', () => refused(409, 'NOT_READY'), true],
  ])('goes on where %s', async (_what, answer, goesOn) => {
    read = answer;
    expect(await mayGoOn()).toBe(goesOn);
  });

  const open = async () => {
    const work = await atWork(useOpening);
    at = work;
    await settle();
    return work;
  };
  const opening = (work: AtWork<ReturnType<typeof useOpening>>) => work.now().opening;

  test('is opened with the pass of the address; begun anew it is another run', async () => {
    hash = '#pass';
    const work = await open();
    expect(opening(work)).toMatchObject({ state: 'open', run: 1, as: 'guest' });
    await work.does(() => work.now().open());
    await settle();
    expect(opening(work)).toMatchObject({ state: 'open', run: 2 });
    // The pass was used up.
    expect(asked).toEqual(['rehearsal/enter', 'rehearsal', 'rehearsal']);
    await work.does(() => work.now().leave());
    expect(opening(work)).toEqual({ state: 'left' });
  });

  test('a pass that couldn’t be tried is tried again', async () => {
    hash = '#pass';
    entered = () => refused(503, 'UNAVAILABLE');
    const work = await open();
    expect(opening(work)).toMatchObject({ state: 'failed' });
    entered = () => json({});
    await work.does(() => work.now().open());
    await settle();
    expect(asked.filter((path) => path.endsWith('enter'))).toHaveLength(2);
    expect(opening(work)).toMatchObject({ state: 'open' });
  });

  test('another code that is scanned opens it anew; an address without one doesn’t', async () => {
    const work = await open();
    await work.does(() => window.dispatchEvent(new Event('hashchange')));
    expect(asked).toHaveLength(1);
    hash = '#another';
    await work.does(() => window.dispatchEvent(new Event('hashchange')));
    await settle();
    expect([asked, opening(work)]).toEqual([
      ['rehearsal', 'rehearsal/enter', 'rehearsal'],
      expect.objectContaining({ run: 2 }),
    ]);
  });

  test('of two that were asked for, the later one is shown', async () => {
    let answer = (_late: Response) => {};
    read = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    const work = await open();
    read = () => content('admin');
    await work.does(() => work.now().open());
    await settle();
    answer(content('guest'));
    await settle();
    expect(opening(work)).toMatchObject({ as: 'admin', run: 2 });
  });

  test('a guest is asked for now and then while the page is seen, and when it is seen again; then it is over', async () => {
    const work = await open();
    await beat();
    expect(asked).toHaveLength(2);
    await become('hidden');
    await beat();
    expect(asked).toHaveLength(2);
    read = () => refused(410, 'REHEARSAL_OVER');
    await become('visible');
    expect([asked.length, opening(work)]).toEqual([3, { state: 'over' }]);
    await beat();
    expect(asked).toHaveLength(3);
  });

  test('who is signed in is not', async () => {
    read = () => content('admin');
    await open();
    await beat();
    expect(asked).toHaveLength(1);
  });
});
