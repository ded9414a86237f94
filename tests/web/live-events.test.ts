import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LiveMessage } from '../../src/contract/visit.ts';
import { openEvents } from '../../src/web/api/live-events.ts';
import { FakeSource } from '../support/fake-source.ts';

/** The live channel against a stream that dies in every way phones and proxies know. */

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
const view = new EventTarget();
const heard: LiveMessage[] = [];
let openings = 0;
let refusals = 0;
let close: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  FakeSource.opened = [];
  heard.length = 0;
  openings = 0;
  refusals = 0;
  page.visibilityState = 'visible';
  for (const [name, value] of Object.entries({ document: page, window: view, EventSource: FakeSource }))
    vi.stubGlobal(name, value);
  close = openEvents('/api/visit/events', {
    message: (message) => void heard.push(message),
    opened: () => void openings++,
    refused: () => void refusals++,
  });
});

afterEach(() => {
  close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const streams = () => FakeSource.opened;
const living = () => streams().filter(({ readyState }) => readyState !== FakeSource.CLOSED);
const last = () => streams().at(-1) ?? new FakeSource();
const show = (state: 'visible' | 'hidden') => {
  page.visibilityState = state;
  page.dispatchEvent(new Event('visibilitychange'));
};

test('messages arrive; opening asks for the state', () => {
  last().dispatchEvent(new Event('open'));
  last().say({ type: 'disconnected', disconnection: { reason: 'token_revoked', contatto: null } });
  expect(openings).toBe(1);
  expect(heard.map(({ type }) => type)).toEqual(['disconnected']);
});

test('closed while hidden, a new one when shown', () => {
  show('hidden');
  expect(living()).toHaveLength(0);
  vi.advanceTimersByTime(120_000);
  expect(streams()).toHaveLength(1);
  show('visible');
  expect(streams()).toHaveLength(2);
  expect(living()).toEqual([last()]);
});

test('40 s without a sign of life: another stream; a ping is one', () => {
  vi.advanceTimersByTime(39_000);
  last().say({ type: 'ping' });
  vi.advanceTimersByTime(39_000);
  expect(streams()).toHaveLength(1);
  vi.advanceTimersByTime(1_000);
  expect(streams()).toHaveLength(2);
  expect(living()).toEqual([last()]);
});

test('an opening is a sign of life, after which a refusal is told anew', () => {
  vi.advanceTimersByTime(39_000);
  last().dispatchEvent(new Event('open'));
  vi.advanceTimersByTime(39_000);
  expect(streams()).toHaveLength(1);
  for (const told of [1, 2]) {
    last().refuse();
    expect(refusals).toBe(told);
    vi.advanceTimersByTime(30_000);
    last().dispatchEvent(new Event('open'));
  }
});

test('refused: again after 0.5 to 5 s, doubled each time, 30 s at most', () => {
  const random = vi.spyOn(Math, 'random');
  for (const [chance, wait] of [
    [0, 500],
    [1, 10_000],
    [0, 2_000],
    [1, 30_000],
    [1, 30_000],
  ] as const) {
    random.mockReturnValue(chance);
    const before = streams().length;
    last().refuse();
    vi.advanceTimersByTime(wait - 1);
    expect(streams()).toHaveLength(before);
    vi.advanceTimersByTime(1);
    expect(streams()).toHaveLength(before + 1);
  }
  random.mockRestore();
});

test('a refusal is told once, until the stream has lived again', () => {
  const refuse = () => {
    last().refuse();
    vi.advanceTimersByTime(30_000);
  };
  last().dispatchEvent(new Event('open'));
  refuse();
  refuse();
  refuse();
  expect(refusals).toBe(1);
  last().dispatchEvent(new Event('open'));
  // The server says goodbye before it refuses.
  last().say({ type: 'bye' });
  vi.advanceTimersByTime(30_000);
  refuse();
  expect(refusals).toBe(2);
});

test('«bye»: comes back by itself, and closed for good it stays closed', () => {
  last().say({ type: 'bye' });
  vi.advanceTimersByTime(5_000);
  expect(living()).toEqual([last()]);
  expect(streams()).toHaveLength(2);
  close();
  show('visible');
  vi.advanceTimersByTime(120_000);
  expect(streams()).toHaveLength(2);
  expect(living()).toHaveLength(0);
});
