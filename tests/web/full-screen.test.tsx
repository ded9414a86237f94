import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFullScreen } from '../../src/web/visitor/media/full-screen.ts';

/** Full screen of the film: new requests after it was left, and the exit. */

/** Times of the full screen requests, in ms since `left`. */
let requestTimes: number[];
let left: number;
let wrapper: HTMLElement;
let answer: () => Promise<void>;
let screens: { leave: () => Promise<void> }[];
const film = { videoWidth: 0, videoHeight: 0 };

beforeEach(() => {
  vi.useFakeTimers();
  [requestTimes, left, screens] = [[], 0, []];
  wrapper = document.createElement('div');
  answer = () => Promise.reject(new TypeError('no gesture'));
  wrapper.requestFullscreen = () => {
    requestTimes.push(Date.now() - left);
    return answer();
  };
  vi.stubGlobal('screen', {});
  be(null);
});
afterEach(() => {
  for (const each of screens) void each.leave();
});
const be = (element: unknown) =>
  Object.defineProperty(document, 'fullscreenElement', { value: element, configurable: true });
const become = (element: unknown) => {
  be(element);
  fireEvent(document, new Event('fullscreenchange'));
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const tap = () => fireEvent.pointerUp(document);
const turn = () => fireEvent(window, new Event('orientationchange'));
function full(video: object = film, changed = () => {}) {
  const fullScreen = createFullScreen(wrapper, video as HTMLVideoElement, changed);
  screens.push(fullScreen);
  return fullScreen;
}

/** Enters full screen, as during the film, and leaves it. */
function leftOnTheWay() {
  const screen = full();
  screen.enter();
  become(wrapper);
  [requestTimes, left] = [[], Date.now()];
  become(null);
  return screen;
}

test('requests it again six times, every 100 ms, and at the next tap, until entered or the film is over', async () => {
  const first = leftOnTheWay();
  await pass(60_000);
  tap();
  void first.leave();
  expect(requestTimes).toEqual([100, 200, 300, 400, 500, 600, 60_000]);
  const screen = leftOnTheWay();
  await pass(250);
  become(wrapper);
  await pass(60_000);
  tap();
  expect(requestTimes).toEqual([100, 200]);
  void screen.leave();
});

test('leaves once it is granted, if the film has ended in the same tap', async () => {
  const granted = Promise.withResolvers<void>();
  const exits: unknown[] = [];
  answer = () => granted.promise;
  Object.assign(document, { exitFullscreen: async () => void exits.push(document.fullscreenElement) });
  const screen = full();
  screen.enter();
  await screen.leave();
  expect(exits).toEqual([]);
  become(wrapper);
  granted.resolve();
  await pass(0);
  expect(exits).toEqual([wrapper]);
});

test('reports changes of its mode, and requests it again when the phone is turned', () => {
  const changed = vi.fn();
  const screen = full(film, changed);
  const look = () => [screen.mode(), changed.mock.calls.length, requestTimes.length];
  screen.enter();
  expect(look()).toEqual(['css', 0, 1]);
  turn();
  expect(look()).toEqual(['css', 0, 2]);
  become(wrapper);
  turn();
  expect(look()).toEqual(['element', 1, 2]);
  // Full screen of another element does not count.
  become(document.createElement('p'));
  expect(look().slice(0, 2)).toEqual(['css', 2]);
  void screen.leave();
  become(wrapper);
  become(null);
  turn();
  expect(look()).toEqual(['css', 2, 2]);
});

test('accepts the next tap after 600 ms without an answer, and works in a browser without full screen', async () => {
  answer = () => new Promise(() => {});
  full().enter();
  await pass(599);
  tap();
  expect(requestTimes).toHaveLength(1);
  await pass(1);
  tap();
  expect(requestTimes).toHaveLength(2);
  const refuses = () => {
    throw new TypeError('no');
  };
  for (const requestFullscreen of [undefined, refuses]) {
    Object.assign(wrapper, { requestFullscreen });
    const screen = full();
    screen.enter();
    tap();
    await screen.leave();
    expect(screen.mode()).toBe('css');
  }
});

test.each([
  [1_600, 900, 1],
  [900, 1_600, 0],
])('locks a film of %i × %i to landscape in full screen: %i', (videoWidth, videoHeight, times) => {
  const lock = vi.fn<(how: string) => Promise<void>>(() => Promise.reject(new Error('no')));
  vi.stubGlobal('screen', { orientation: { lock, unlock: () => {} } });
  full({ videoWidth, videoHeight }).enter();
  expect(lock).not.toHaveBeenCalled();
  become(wrapper);
  expect(lock.mock.calls).toEqual(Array.from({ length: times }, () => ['landscape']));
});

test('unlocks the orientation and exits by each browser’s own API, within half a second', async () => {
  let exits: string[] = [];
  const exit = (way: string) => async () => void exits.push(way);
  vi.stubGlobal('screen', { orientation: { unlock: () => exits.push('upright') } });
  Object.assign(document, { exitFullscreen: exit('page'), webkitExitFullscreen: exit('old page') });
  const leave = async (video: object = film) => {
    exits = [];
    const over = full(video).leave();
    await pass(499);
    await over;
    return exits;
  };
  expect(await leave()).toEqual(['upright']);
  be(wrapper);
  expect(await leave()).toEqual(['upright', 'page']);
  be(null);
  Object.assign(document, { exitFullscreen: undefined, webkitFullscreenElement: wrapper });
  const phone = { webkitDisplayingFullscreen: true, webkitExitFullscreen: () => exits.push('player') };
  expect(await leave(phone)).toEqual(['upright', 'player', 'old page']);
  Object.assign(document, { webkitFullscreenElement: null });

  be(wrapper);
  Object.assign(document, { exitFullscreen: () => new Promise(() => {}) });
  let isOver = false;
  void full()
    .leave()
    .then(() => (isOver = true));
  await pass(499);
  expect(isOver).toBe(false);
  await pass(1);
  expect(isOver).toBe(true);
});
