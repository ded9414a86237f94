import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The browser's way back, on a history that does what browsers do with entries. */

class Step extends Event {
  readonly navigationType: string;
  readonly destination: { key: string | undefined };
  constructor(key: string, navigationType = 'traverse', cancelable = true) {
    super('navigate', { cancelable });
    this.navigationType = navigationType;
    this.destination = { key };
  }
}

let view: EventTarget;
let entries: { idx?: number; href: string }[];
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

/** She goes so many entries back; who else hears of it is counted. */
function back(steps = 1): void {
  at -= steps;
  location.href = entries[at]?.href ?? '';
  view.dispatchEvent(new Event('popstate'));
}
const location = { href: '' };
const tap = () => view.dispatchEvent(new Event('pointerup'));

async function guarded(): Promise<() => void> {
  vi.resetModules();
  const { guardBack } = await import('../../src/web/visitor/experience/back-guard.ts');
  view.addEventListener('popstate', () => {
    router += 1;
  });
  return guardBack();
}

beforeEach(() => {
  view = new EventTarget();
  entries = [{ idx: 0, href: '/' }];
  at = 0;
  went = [];
  router = 0;
  location.href = '/';
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', history);
  vi.stubGlobal('window', {});
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('removeEventListener', view.removeEventListener.bind(view));
});
afterEach(() => vi.unstubAllGlobals());

test('where an entry was pushed on entering, every step back is taken back, however far', async () => {
  entries = [
    { idx: 0, href: '/' },
    { idx: 1, href: '/' },
    { idx: 2, href: '/' },
  ];
  at = 2;
  const letGo = await guarded();
  back();
  expect([at, went, router]).toEqual([2, [1], 0]);
  back(2);
  expect([at, went, router]).toEqual([2, [1, 2], 0]);
  letGo();
  back();
  expect([at, went.length, router]).toEqual([1, 2, 1]);
});

test('a page opened anew takes an entry in its first tap, one, and the router goes on counting from it', async () => {
  const letGo = await guarded();
  tap();
  tap();
  expect(entries).toEqual([
    { idx: 0, href: '/' },
    { idx: 1, href: '/' },
  ]);
  back();
  expect([at, went]).toEqual([1, [1]]);
  letGo();
});

test('before that tap a step that leads nowhere else is let be', async () => {
  const letGo = await guarded();
  view.dispatchEvent(new Event('popstate'));
  expect([went, router]).toEqual([[], 0]);
  letGo();
});

test('let go, a tap takes no entry any more', async () => {
  (await guarded())();
  tap();
  expect(entries).toHaveLength(1);
});

test('with the Navigation API a step is refused before it is made: but not our own way forth, nor a link', async () => {
  const navigation = Object.assign(new EventTarget(), { currentEntry: { key: 'here' } });
  vi.stubGlobal('window', { navigation });
  entries = [
    { idx: 0, href: '/' },
    { idx: 1, href: '/' },
  ];
  at = 1;
  const letGo = await guarded();
  const isRefused = (step: Step) => !navigation.dispatchEvent(step);
  expect(isRefused(new Step('before'))).toBe(true);
  expect(isRefused(new Step('here'))).toBe(false);
  expect(isRefused(new Step('before', 'push'))).toBe(false);
  letGo();
  expect(isRefused(new Step('before'))).toBe(false);
});

test('the entry of the first tap is the home that may be gone to', async () => {
  const navigation = Object.assign(new EventTarget(), { currentEntry: { key: 'first' } });
  vi.stubGlobal('window', { navigation });
  const letGo = await guarded();
  navigation.currentEntry = { key: 'pushed' };
  tap();
  expect(navigation.dispatchEvent(new Step('pushed'))).toBe(true);
  expect(navigation.dispatchEvent(new Step('first'))).toBe(false);
  letGo();
});
