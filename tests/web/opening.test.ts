import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { eveningIsThere, openLetter, sealLetter } from '../../src/web/visitor/experience/opening.ts';
import { isHidden } from '../../src/web/visitor/experience/page-signals.ts';
import { letter } from '../../src/web/visitor/letter.ts';

/** How the letter opens over the evening (decision 059), without a browser: when it covers, and when it lets go. */

let page: EventTarget;
let still: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  page = new EventTarget();
  still = false;
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
  vi.stubGlobal('document', { visibilityState: 'visible' });
});

afterEach(() => {
  sealLetter();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const phase = () => letter.state().phase;
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const tap = () => page.dispatchEvent(new Event('pointerdown'));

test('from the tap to the night it takes 2.25 s, where everything is there', async () => {
  void openLetter(performance.now());
  eveningIsThere();
  expect(isHidden()).toBe(true);
  await pass(1_649);
  expect(phase()).toBe('opening');
  await pass(1);
  expect(phase()).toBe('leaving');
  expect(isHidden()).toBe(false);
  await pass(600);
  expect(phase()).toBe('sealed');
});

test('a late answer takes from its time, down to 0.65 s', async () => {
  const tappedAt = performance.now();
  await pass(400);
  void openLetter(tappedAt);
  expect(letter.state().ms).toBe(1_250);
  await pass(5_000);
  void openLetter(tappedAt);
  expect(letter.state().ms).toBe(650);
});

test('what comes late after the answer is taken from the time in which it dissolves: gone 2.25 s after the tap', async () => {
  const tappedAt = performance.now();
  await pass(1_000);
  void openLetter(tappedAt);
  await pass(750);
  expect(phase()).toBe('opening');
  eveningIsThere();
  await pass(0);
  expect(letter.state()).toMatchObject({ phase: 'leaving', leaving: 500 });
  await pass(500);
  expect(phase()).toBe('sealed');
  await pass(100);
  void openLetter(tappedAt);
  eveningIsThere();
  await pass(650);
  expect(letter.state()).toMatchObject({ phase: 'leaving', leaving: 400 });
});

test('it stays over what isn’t there, for however long', async () => {
  void openLetter(performance.now());
  await pass(60_000);
  expect(phase()).toBe('opening');
  eveningIsThere();
  await pass(0);
  expect(phase()).toBe('leaving');
});

test('another tap lets it go at once', async () => {
  void openLetter(performance.now());
  eveningIsThere();
  await pass(500);
  tap();
  await pass(0);
  expect(phase()).toBe('leaving');
});

describe('nothing is broken, one screen dissolves into the other,', () => {
  test.each([
    ['where the phone asks for rest', true, 0],
    ['where no code was sent', false, undefined],
  ])('%s', async (_where, asks, tappedAt) => {
    still = asks;
    void openLetter(tappedAt);
    expect(letter.state()).toMatchObject({ phase: 'opening', ms: 0, Broken: null });
    eveningIsThere();
    await pass(0);
    expect(phase()).toBe('leaving');
  });
});

test('an evening that is left seals it, whatever it was at', async () => {
  void openLetter(performance.now());
  eveningIsThere();
  await pass(500);
  sealLetter();
  for (const ms of [0, 1_300, 600]) {
    await pass(ms);
    expect(phase()).toBe('sealed');
  }
});
