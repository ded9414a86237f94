import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { planBTexts as texts } from '../../src/texts/plan-b.ts';
import type * as Answers from '../../src/web/plan-b/kept/answers.ts';
import type * as Kept from '../../src/web/plan-b/kept/use-kept.ts';
import { type AtWork, atWork } from '../support/hooks.ts';

/** How a phone looks after the evening it keeps: brought up to date, let go, or left alone; and when its answers go. */

const STORE = '../../src/web/plan-b/kept/store.ts';
type Evening = { version: string; key: string };

let here: Evening | null;
let did: string[];
let view: EventTarget;
let replies: Record<string, () => Response>;
let asked: [string, unknown][];
let can: boolean;
let breaks: boolean;
let waiting: { sealed: Uint8Array; remove: () => Promise<void> }[];
let hash: string;
let at: { leave: () => Promise<void> } | undefined;
let useKept: typeof Kept.useKept;
let useKeptAnswers: typeof Answers.useKeptAnswers;

beforeEach(async () => {
  vi.resetModules();
  [here, did, asked, can, breaks, waiting, hash, at] = [null, [], [], true, false, [], '', undefined];
  replies = {};
  view = new EventTarget();
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
  vi.stubGlobal('location', {
    get hash() {
      return hash;
    },
    pathname: '/piano-b/',
  });
  vi.stubGlobal('history', { state: null, replaceState: () => (hash = '') });
  vi.stubGlobal('fetch', async (path: string, { body }: RequestInit) => {
    asked.push([path.replace('/api/plan-b/', ''), JSON.parse(typeof body === 'string' ? body : 'null')]);
    return (replies[path.replace('/api/plan-b/', '')] ?? (() => new Response(null, { status: 503 })))();
  });
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.doMock(STORE, () => ({
    canKeep: () => can,
    keptEvening: async () => here,
    keepPage: async () => void did.push('page'),
    keep: async (key: string) => {
      did.push('keep');
      if (breaks) throw new TypeError('Failed to fetch');
      here = { version: 'new', key };
    },
    letGo: async () => {
      did.push('let go');
      here = null;
    },
    keepSealed: async (name: string) => void did.push(`seal ${name}`),
    waitingAnswers: async () => [...waiting],
  }));
  ({ useKept } = await import('../../src/web/plan-b/kept/use-kept.ts'));
  ({ useKeptAnswers } = await import('../../src/web/plan-b/kept/answers.ts'));
});
afterEach(async () => {
  await at?.leave();
  vi.doUnmock(STORE);
  // Nobody after this file gets a module that was made around what stood in.
  vi.resetModules();
  vi.restoreAllMocks();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const there =
  (version: string | null, key = 'k') =>
  () =>
    Response.json({ version, key });
const over = () => Response.json({ codice: 'PLAN_B_OVER', messaggio: '' }, { status: 410 });

async function look(): Promise<AtWork<ReturnType<typeof Kept.useKept>>> {
  const work = await atWork(useKept);
  at = work;
  await work.does(() => new Promise((resolve) => setImmediate(resolve)));
  return work;
}
const told = async () => (await look()).now().said?.title ?? null;

describe('a phone that keeps nothing', () => {
  test.each<[string, Record<string, () => Response>, string, string | null, string[]]>([
    ['and came without a pass is a stranger’s', { kept: over }, '', texts.strangerTitle, ['let go']],
    ['whose pass is over is told so', { enter: over }, '#pass', texts.overTitle, ['let go']],
    [
      'is told that there is no evening yet',
      { enter: there(null), kept: there(null) },
      '#pass',
      texts.noneTitle,
      [],
    ],
    ['keeps the one there is', { enter: there('new'), kept: there('new') }, '#pass', null, ['keep']],
    ['tells what hinders it', {}, '', texts.failedTitle, []],
  ])('%s', async (_what, given, address, title, done) => {
    replies = given;
    hash = address;
    expect([await told(), did]).toEqual([title, done]);
  });

  test('tells the site which one it keeps now', async () => {
    replies = { kept: there('new', 'site') };
    const work = await look();
    expect(work.now()).toEqual({ evening: { version: 'new', key: 'site' }, said: null });
    expect(asked).toEqual([
      ['kept', { version: null }],
      ['kept', { version: 'new' }],
    ]);
  });

  test('and can’t keep any says so, and asks for nothing', async () => {
    can = false;
    expect([await told(), asked]).toEqual([texts.name, []]);
  });

  test('where keeping fails it says so', async () => {
    replies = { kept: there('new') };
    breaks = true;
    expect([await told(), did]).toEqual([texts.failedTitle, ['keep']]);
  });
});

describe('a phone that keeps an evening', () => {
  beforeEach(() => {
    here = { version: 'old', key: 'k' };
  });

  test.each<[string, Record<string, () => Response>, string, string | null, string[]]>([
    ['has it as it is: only the page is looked at again', { kept: there('old') }, '', 'old', ['page']],
    ['is brought up to date', { kept: there('new') }, '', 'new', ['keep']],
    [
      'is brought up to date where only the site’s key is another',
      { kept: there('old', 'other') },
      '',
      'new',
      ['keep'],
    ],
    ['goes on with it where there is none now', { kept: there(null) }, '', 'old', []],
    ['goes on with it while the site is away', {}, '', 'old', []],
    ['lets go of it when it is over', { kept: over }, '', 'old', ['let go']],
    ['isn’t touched by a pass that is good no more', { enter: over, kept: there('old') }, '#pass', 'old', []],
  ])('%s', async (_what, given, address, version, done) => {
    replies = given;
    hash = address;
    const work = await look();
    expect([work.now().evening?.version ?? null, did]).toEqual([version, done]);
  });

  test('and is told that it is over', async () => {
    replies = { kept: over };
    expect(await told()).toBe(texts.overTitle);
  });

  test('keeps the old one where the new one breaks off', async () => {
    replies = { kept: there('new') };
    breaks = true;
    expect((await look()).now()).toEqual({ evening: here, said: null });
  });

  test('sends what waits before it asks whether it may go on', async () => {
    waiting = [{ sealed: new Uint8Array([1]), remove: async () => void did.push('sent') }];
    replies = { answers: () => new Response('{}'), kept: over };
    await look();
    expect(did).toEqual(['sent', 'let go']);
  });
});

test('it looks again when the network is back or another pass is scanned, until it is left', async () => {
  const work = await look();
  for (const [index, event] of ['online', 'hashchange'].entries()) {
    await work.does(() => view.dispatchEvent(new Event(event)));
    await work.does(() => new Promise((resolve) => setImmediate(resolve)));
    expect(asked).toHaveLength(index + 2);
  }
  await work.leave();
  at = undefined;
  for (const event of ['online', 'hashchange']) view.dispatchEvent(new Event(event));
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toHaveLength(3);
});

describe('the answers of an evening without the site', () => {
  const given = { id: 'walk', answers: [{}, {}], ended: false };
  let key: string;
  beforeEach(async () => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, ['deriveBits']);
    key = Buffer.from(await crypto.subtle.exportKey('raw', pair.publicKey)).toString('base64url');
    waiting = [{ sealed: new Uint8Array([1]), remove: async () => void (waiting = []) }];
  });
  const answers = async (of: object | null, site: string | null = key) => {
    const work = await atWork(() => useKeptAnswers(site, of as Answers.GivenAnswers | null));
    at = work;
    return work;
  };
  const settle = (work: AtWork<unknown>) =>
    vi.waitFor(() => work.does(() => expect(asked.length).toBeGreaterThan(0)));

  test('are sealed under a name of their own, sent, and told as arrived', async () => {
    replies = { answers: () => new Response('{}') };
    const work = await answers({ ...given, ended: true });
    await settle(work);
    await vi.waitFor(() => expect(work.now()).toBe('arrived'));
    expect(did).toEqual(['seal walk/2-fine']);
  });

  test('that are in the middle have another name', async () => {
    await settle(await answers(given));
    expect(did).toEqual(['seal walk/2']);
  });

  test('wait while the site is away, and go when the network is back', async () => {
    const work = await answers(given);
    await settle(work);
    expect(work.now()).toBe('waiting');
    replies = { answers: () => new Response('{}') };
    await work.does(() => view.dispatchEvent(new Event('online')));
    await vi.waitFor(() => work.does(() => expect(work.now()).toBe('arrived')));
    const times = asked.length;
    await work.leave();
    at = undefined;
    waiting = [{ sealed: new Uint8Array([1]), remove: async () => undefined }];
    view.dispatchEvent(new Event('online'));
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toHaveLength(times);
  });

  test('are tried again every 15 s while the page is open, until they have arrived', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const work = await answers(given);
    await settle(work);
    // Waiting for the first try has moved the clock a little already.
    await work.does(() => vi.advanceTimersByTime(10_000));
    expect(asked).toHaveLength(1);
    replies = { answers: () => new Response('{}') };
    await work.does(() => vi.advanceTimersByTime(5_000));
    await vi.waitFor(() => work.does(() => expect(work.now()).toBe('arrived')));
    waiting = [{ sealed: new Uint8Array([1]), remove: async () => undefined }];
    await work.does(() => vi.advanceTimersByTime(60_000));
    expect(asked).toHaveLength(2);
  });

  test.each([
    ['there are none', null, 'key'],
    ['nothing is kept', given, null],
  ])('where %s nothing is told', async (_why, of, site) => {
    const work = await answers(of, site);
    expect([work.now(), did, asked]).toEqual(['nothing', [], []]);
  });
});
