import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** The painted page first, its scripts after it, whatever the network does. */

let view: EventTarget;
let screen: { hidden: boolean; documentElement: { dataset: Record<string, string> } };
let painted: (() => void) | undefined;
let lost: number;
let reloads: boolean;
let fetched: number;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  view = new EventTarget();
  screen = { hidden: false, documentElement: { dataset: {} } };
  painted = undefined;
  lost = 0;
  reloads = false;
  fetched = 0;
  vi.stubGlobal('document', screen);
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('PerformanceObserver', observer(['paint']));
  vi.doMock('../../src/web/reload.ts', () => ({ reloadOnce: async () => reloads }));
  vi.doMock('../../src/web/main.tsx', () => {
    fetched += 1;
    if (fetched <= lost) throw new TypeError('Failed to fetch');
    return {};
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.doUnmock('../../src/web/main.tsx');
  vi.doUnmock('../../src/web/reload.ts');
  // Nobody after this file gets a module that was made around what stood in.
  vi.resetModules();
});

/** A browser's observer that knows these kinds of entries. */
function observer(supportedEntryTypes: string[]) {
  return class {
    static supportedEntryTypes = supportedEntryTypes;
    constructor(told: () => void) {
      painted = told;
    }
    observe(): void {}
  };
}

const open = () => import('../../src/web/boot.ts');
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const settled = async (times: number) => vi.waitFor(() => expect(fetched).toBe(times));

test('the scripts are asked for when the page is painted, once', async () => {
  await open();
  await pass(2_499);
  expect(fetched).toBe(0);
  painted?.();
  await settled(1);
  painted?.();
  await pass(60_000);
  expect(fetched).toBe(1);
});

test('where nobody says that it is painted they are asked for after 2.5 s', async () => {
  await open();
  await pass(2_500);
  await settled(1);
});

test.each(['in the background', 'in a browser that tells of no paint'])(
  '%s nothing is waited for',
  async (where) => {
    if (where === 'in the background') screen.hidden = true;
    else vi.stubGlobal('PerformanceObserver', observer([]));
    await open();
    await settled(1);
  },
);

test('scripts that are lost on the way are asked for again every 2 s', async () => {
  lost = 2;
  screen.hidden = true;
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

test('stops loading removed scripts once the page reloads', async () => {
  lost = 9;
  reloads = true;
  screen.hidden = true;
  await open();
  await pass(60_000);
  expect(fetched).toBe(2);
});

test('a code that is sent before the scripts are there is remembered, and brings them', async () => {
  await open();
  view.dispatchEvent(new Event('submit'));
  await settled(1);
  expect(screen.documentElement.dataset).toEqual({ form: 'early' });
});
