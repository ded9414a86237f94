import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { reportLeaving } from '../../src/web/visitor/experience/report-leaving.ts';

/** What a page says when it is hidden, left and shown again. */

let page: EventTarget;
let screen: EventTarget & { visibilityState: string };
let said: Promise<{ state: string; seq: number; life: string }>[];
let stop: () => void;
beforeEach(() => {
  page = new EventTarget();
  screen = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  said = [];
  vi.stubGlobal('document', screen);
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('navigator', {
    sendBeacon: (_path: string, mark: Blob) => said.push(mark.text().then((text) => JSON.parse(text))) > 0,
  });
  stop = reportLeaving(() => 'during_post_phrases');
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

const happens = (name: 'pagehide' | 'pageshow') => page.dispatchEvent(new Event(name));
function turns(visibilityState: 'visible' | 'hidden'): void {
  screen.visibilityState = visibilityState;
  screen.dispatchEvent(new Event('visibilitychange'));
}
const states = async () => (await Promise.all(said)).map(({ state }) => state);

test('a page that is left says so once, and nothing that could overtake it', async () => {
  happens('pagehide');
  turns('hidden');
  expect(await states()).toEqual(['closed']);
});

test('a page that comes back from the browser’s memory speaks again', async () => {
  happens('pagehide');
  turns('hidden');
  happens('pageshow');
  turns('visible');
  turns('hidden');
  happens('pagehide');
  expect(await states()).toEqual(['closed', 'background', 'closed']);
  const numbers = (await Promise.all(said)).map(({ seq }) => seq);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  const lives = (await Promise.all(said)).map(({ life }) => life);
  expect(lives[1]).not.toBe(lives[0]);
  expect(lives[2]).toBe(lives[1]);
});

test('being seen on the way out is no new life; being seen for longer is', async () => {
  vi.useFakeTimers();
  const again = async () => {
    turns('hidden');
    turns('visible');
    happens('pagehide');
    return (await Promise.all(said)).at(-1)?.life;
  };
  const first = await again();
  turns('visible');
  happens('pagehide');
  expect((await Promise.all(said)).at(-1)?.life).toBe(first);
  vi.advanceTimersByTime(999);
  happens('pagehide');
  expect((await Promise.all(said)).at(-1)?.life).toBe(first);
  vi.advanceTimersByTime(1);
  expect(await again()).not.toBe(first);
  vi.useRealTimers();
});

test('nothing is said once the visit is over', async () => {
  stop();
  turns('hidden');
  happens('pagehide');
  expect(await states()).toEqual([]);
});
