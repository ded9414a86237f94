import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CAPABILITIES, deviceId as deviceIdSchema, readCapabilities } from '../../src/contract/visit.ts';
import { networkTexts } from '../../src/texts/dates.ts';
import { capabilities } from '../../src/web/visitor/access/capabilities.ts';
import {
  markEveningReady,
  nameIsWritten,
  openLetter,
  sealLetter,
} from '../../src/web/visitor/experience/opening.ts';
import { isHidden } from '../../src/web/visitor/experience/page-signals.ts';
import { reportLeaving } from '../../src/web/visitor/experience/report-leaving.ts';
import { letter } from '../../src/web/visitor/letter.ts';
import { canContinue, findRehearsal } from '../../src/web/visitor/rehearsal/find-rehearsal.ts';
import { lost, refused, replyWith, stubFetch } from './support/page.ts';

/** The way into the evening and out of it: letter, exit marks, Back, device and rehearsal. */

beforeEach(() => void vi.useFakeTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const happens = (name: string, more: object = {}) => fireEvent(window, Object.assign(new Event(name), more));
function setVisibility(state: 'visible' | 'hidden'): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
  fireEvent(document, new Event('visibilitychange'));
}

describe('letter', () => {
  afterEach(() => sealLetter());
  const phase = () => letter.state().phase;

  const isWritten = async () => {
    nameIsWritten();
    await pass(0);
  };

  test('opens at the top of the page, holds the written name for 1.2 s, and fades out', async () => {
    const scrolled = vi.spyOn(window, 'scrollTo');
    void openLetter('Giulia');
    expect(scrolled).toHaveBeenCalledWith(0, 0);
    markEveningReady();
    expect(letter.state()).toMatchObject({ phase: 'opening', name: 'Giulia', held: false });
    await pass(7_999);
    expect(letter.state()).toMatchObject({ phase: 'opening', held: false });
    await isWritten();
    await pass(1_199);
    expect(letter.state()).toMatchObject({ phase: 'opening', held: true });
    await pass(1);
    expect([phase(), isHidden()]).toEqual(['leaving', true]);
    letter.state().onFaded();
    await pass(0);
    expect([phase(), isHidden()]).toEqual(['sealed', false]);
  });

  test('waits at most 8 s for the end of an animation, and 3 s at the end', async () => {
    void openLetter(null);
    markEveningReady();
    await pass(8_000);
    expect(letter.state()).toMatchObject({ phase: 'opening', held: true });
    await pass(1_200);
    expect(phase()).toBe('leaving');
    await pass(3_000);
    expect(phase()).toBe('sealed');
  });

  test('stays until the evening is ready, and leaves at a tap', async () => {
    void openLetter('Giulia');
    await isWritten();
    await pass(60_000);
    expect(phase()).toBe('opening');
    markEveningReady();
    await pass(0);
    expect(phase()).toBe('leaving');
    void openLetter('Giulia');
    markEveningReady();
    await pass(500);
    fireEvent.pointerDown(window);
    await pass(0);
    expect(letter.state()).toMatchObject({ phase: 'leaving', held: false });
  });
});

describe('exit marks', () => {
  let marks: Promise<{ state: string; seq: number; life: string }>[];
  let stop: () => void;
  beforeEach(() => {
    marks = [];
    vi.spyOn(navigator, 'sendBeacon').mockImplementation(
      (_path, mark) => marks.push((mark as Blob).text().then((text) => JSON.parse(text))) > 0,
    );
    stop = reportLeaving(() => 'during_post_phrases');
  });
  afterEach(() => stop());

  test('sends one closed mark per page load and nothing after it, and starts a new page load when restored', async () => {
    happens('pagehide');
    setVisibility('hidden');
    happens('pageshow');
    setVisibility('hidden');
    happens('pagehide');
    const all = await Promise.all(marks);
    expect(all.map(({ state }) => state)).toEqual(['closed', 'background', 'closed']);
    const numbers = all.map(({ seq }) => seq);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    const [first, second, third] = all.map(({ life }) => life);
    expect([second === first, third === second]).toEqual([false, true]);
    // Nothing is sent after the visit has ended.
    stop();
    happens('pageshow');
    setVisibility('hidden');
    happens('pagehide');
    expect(marks).toHaveLength(3);
  });

  test('starts a new page load only after the page was visible for a second', async () => {
    setVisibility('hidden');
    for (const ms of [0, 999, 1_000]) {
      setVisibility('visible');
      vi.advanceTimersByTime(ms);
      happens('pagehide');
    }
    const pageLoads = (await Promise.all(marks)).map(({ life }) => life);
    expect([pageLoads.at(-2) === pageLoads[1], pageLoads.at(-1) === pageLoads[1]]).toEqual([true, false]);
  });
});

describe('back guard', () => {
  type Entry = { idx?: number; href: string };
  let entries: Entry[];
  let at: number;
  let went: number[];
  let router: number;
  const history = {
    get state() {
      return entries[at] ?? null;
    },
    pushState(state: object, _title: string, href: string) {
      entries = [...entries.slice(0, at + 1), { ...state, href }];
      at += 1;
    },
    go(steps: number) {
      went.push(steps);
      at += steps;
    },
  };
  const location = { href: '/' };
  const back = (steps = 1) => {
    at -= steps;
    happens('popstate');
  };
  async function guarded(stack: number[], navigation?: object): Promise<() => void> {
    entries = stack.map((idx) => ({ idx, href: '/' }));
    [at, went, router] = [stack.length - 1, [], 0];
    vi.stubGlobal('location', location);
    vi.stubGlobal('history', history);
    Object.assign(window, { navigation });
    vi.resetModules();
    const { guardBack } = await import('../../src/web/visitor/experience/back-guard.ts');
    addEventListener('popstate', counted);
    return guardBack();
  }
  const counted = () => void (router += 1);
  afterEach(() => {
    removeEventListener('popstate', counted);
    Object.assign(window, { navigation: undefined });
  });

  test('undoes Back by any number of steps, until released', async () => {
    const releaseGuard = await guarded([0, 1, 2]);
    back();
    expect([at, went, router]).toEqual([2, [1], 0]);
    back(2);
    expect([at, went, router]).toEqual([2, [1, 2], 0]);
    releaseGuard();
    back();
    expect([at, went.length, router]).toEqual([1, 2, 1]);
  });

  test('pushes one history entry at the first tap of a new page, and undoes nothing before it', async () => {
    const releaseGuard = await guarded([0]);
    happens('popstate');
    expect([went, router]).toEqual([[], 0]);
    happens('pointerup');
    happens('pointerup');
    expect(entries).toEqual([
      { idx: 0, href: '/' },
      { idx: 1, href: '/' },
    ]);
    back();
    expect([at, went]).toEqual([1, [1]]);
    releaseGuard();
    (await guarded([0]))();
    happens('pointerup');
    expect(entries).toHaveLength(1);
  });

  const step = (key: string, navigationType = 'traverse') =>
    Object.assign(new Event('navigate', { cancelable: true }), { navigationType, destination: { key } });

  test('cancels Back with the Navigation API, but not its own way forward, a link or the way home', async () => {
    const navigation = Object.assign(new EventTarget(), { currentEntry: { key: 'here' } });
    const isRefused = (...which: Parameters<typeof step>) => !navigation.dispatchEvent(step(...which));
    const releaseGuard = await guarded([0, 1], navigation);
    expect(isRefused('before')).toBe(true);
    expect(isRefused('here')).toBe(false);
    expect(isRefused('before', 'push')).toBe(false);
    releaseGuard();
    expect(isRefused('before')).toBe(false);
    const again = await guarded([0], navigation);
    navigation.currentEntry = { key: 'pushed' };
    happens('pointerup');
    // The entry of the first tap counts as home.
    expect([isRefused('pushed'), isRefused('here')]).toEqual([false, true]);
    again();
  });
});

describe('device', () => {
  const NOW = Date.parse('2026-11-20T20:00:00.000Z');
  beforeEach(() => void vi.setSystemTime(NOW));
  afterEach(() => vi.unstubAllGlobals());
  const load = async () => {
    vi.resetModules();
    return (await import('../../src/web/visitor/access/device.ts')).deviceId;
  };

  test('has an id of time and random characters, stored in the browser or, without storage, in the page', async () => {
    const id = (await load())();
    expect(id).toMatch(new RegExp(`^device-${NOW}-[0-9a-z]{16}$`));
    expect([deviceIdSchema.safeParse(id).success, Object.values({ ...localStorage })]).toEqual([true, [id]]);
    vi.setSystemTime(NOW + 86_400_000);
    expect((await load())()).toBe(id);
    // An id that the server would refuse is replaced.
    for (const stored of ['', 'è mio', 'x'.repeat(101)]) {
      localStorage.setItem('device_id', stored);
      expect((await load())()).toMatch(/^device-/);
      expect(localStorage.getItem('device_id')).not.toBe(stored);
    }
    localStorage.clear();
    vi.setSystemTime(NOW);
    expect((await load())()).not.toBe(id);
    vi.stubGlobal('localStorage', undefined);
    const deviceId = await load();
    expect([deviceId() === deviceId(), (await load())() === deviceId()]).toEqual([true, false]);
  });

  test('reports its capabilities', () => {
    vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (Linux; Android 15; wv) Chrome/130.0 Mobile' });
    vi.stubGlobal('document', { documentElement: {} });
    vi.stubGlobal('window', {});
    vi.stubGlobal('localStorage', undefined);
    expect(capabilities()).toEqual(['in_app']);
    const all = { userAgent: 'Chrome', wakeLock: {}, mediaSession: {}, canShare: () => true };
    vi.stubGlobal('navigator', { ...all, connection: { saveData: true } });
    vi.stubGlobal('document', { documentElement: { requestFullscreen: () => undefined } });
    vi.stubGlobal('window', { navigation: {} });
    vi.stubGlobal('localStorage', {});
    expect(capabilities()).toEqual(CAPABILITIES.filter((name) => name !== 'in_app'));
    expect(readCapabilities('storage telepathy in_app')).toEqual(['in_app', 'storage']);
    expect(readCapabilities(null)).toEqual([]);
  });
});

describe('rehearsal access', () => {
  const entered = replyWith({ scadenza: '2027-02-14T20:00:00.000Z' });
  const over = refused('REHEARSAL_OVER', {}, 401);
  const signIn = refused('SIGN_IN_REQUIRED', {}, 401);
  const unready = refused('VIDEO_MISSING', {}, 409);
  const trouble = refused('UNAVAILABLE', {}, 503);
  const content = (as: string) => replyWith({ as, snapshot: {} });
  type Answer = typeof entered;

  const open = (as: string) => ({ state: 'open', as });
  const unable = (state: string, code: string) => ({ state, messaggio: `No: ${code}` });

  test.each<[string, string | null, Answer | undefined, Answer | undefined, object]>([
    ['a good pass', 'pass', entered, content('guest'), { ...open('guest'), snapshot: {} }],
    ['a pass that is over, for who is signed in', 'pass', over, content('admin'), open('admin')],
    ['what isn’t even a pass, and nothing else', 'x', refused('BAD_INPUT'), signIn, { state: 'over' }],
    ['a pass of before that is over', null, undefined, over, { state: 'over' }],
    ['nothing', null, undefined, signIn, { state: 'stranger' }],
    ['a good pass before all is there', 'pass', entered, unready, unable('unready', 'VIDEO_MISSING')],
    ['a server in trouble', 'pass', entered, trouble, unable('failed', 'UNAVAILABLE')],
    ['a pass not heard of', 'pass', lost, undefined, { state: 'failed', messaggio: networkTexts.offline }],
  ])('opens, or explains why not, with %s', async (_what, pass, enter, read, expected) => {
    const paths = [...(enter ? ['rehearsal/enter'] : []), ...(read ? ['rehearsal'] : [])];
    const { asked: requests } = stubFetch({ 'rehearsal/enter': enter ?? lost, rehearsal: read ?? lost });
    expect(await findRehearsal(pass)).toMatchObject(expected);
    expect(requests.map(({ path }) => path)).toEqual(paths);
  });

  test.each<[string, Answer, boolean]>([
    ['hears nothing', lost, true],
    ['hears of a change', unready, true],
    ['hears that its pass is over', over, false],
    ['is a stranger', signIn, false],
  ])('continues or ends while the phone %s', async (_what, read, goesOn) => {
    stubFetch({ rehearsal: read });
    expect(await canContinue()).toBe(goesOn);
  });
});
