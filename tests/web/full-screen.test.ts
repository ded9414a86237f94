import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createFullScreen } from '../../src/web/visitor/media/full-screen.ts';

/** Full screen that was left is asked for again: when, and until when. The browser is a few stand-ins, the time is simulated. */

/** Node takes listeners away by `{ capture }` alone, browsers by a bare `true` as well. */
class Page extends EventTarget {
  fullscreenElement: unknown = null;
  override removeEventListener(...[type, listener, options]: Parameters<EventTarget['removeEventListener']>) {
    super.removeEventListener(type, listener, { capture: options === true });
  }
}

/** When full screen was asked for, in milliseconds since `left`. */
let asked: number[];
let left: number;
let page: Page;
const film = { videoWidth: 0, videoHeight: 0 } as HTMLVideoElement;

/** A wrapper for which the browser refuses full screen, as it does without a tap. */
const wrapper = {
  requestFullscreen: () => {
    asked.push(Date.now() - left);
    return Promise.reject(new TypeError('no gesture'));
  },
} as unknown as HTMLElement;

function become(element: unknown): void {
  page.fullscreenElement = element;
  page.dispatchEvent(new Event('fullscreenchange'));
}

/** Full screen, as it is while the film plays, and then left. */
function leftOnTheWay() {
  const screen = createFullScreen(wrapper, film, () => {});
  screen.enter();
  become(wrapper);
  [asked, left] = [[], Date.now()];
  become(null);
  return screen;
}

beforeEach(() => {
  vi.useFakeTimers();
  [asked, left] = [[], 0];
  page = new Page();
  vi.stubGlobal('document', page);
  vi.stubGlobal('screen', {});
  const timers = { setTimeout: (run: () => void, ms: number) => setTimeout(run, ms) };
  vi.stubGlobal('window', Object.assign(new EventTarget(), timers));
  vi.stubGlobal('KeyboardEvent', class extends Event {});
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('six times, each 100 ms later than the one before', async () => {
  leftOnTheWay();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([100, 200, 300, 400, 500, 600]);
});

test('and at the next tap, whenever that is', async () => {
  leftOnTheWay();
  await vi.advanceTimersByTimeAsync(60_000);
  page.dispatchEvent(new Event('pointerup'));
  expect(asked.slice(6)).toEqual([60_000]);
});

test('no more once it is there again', async () => {
  leftOnTheWay();
  await vi.advanceTimersByTimeAsync(250);
  become(wrapper);
  await vi.advanceTimersByTimeAsync(60_000);
  page.dispatchEvent(new Event('pointerup'));
  expect(asked).toEqual([100, 200]);
});

test('not at all once the film is over', async () => {
  const screen = leftOnTheWay();
  const over = screen.leave();
  await vi.advanceTimersByTimeAsync(60_000);
  await over;
  page.dispatchEvent(new Event('pointerup'));
  expect(asked).toEqual([]);
});

test('where the tap that ends the film had asked for it, it is left as soon as it is granted', async () => {
  let grant = () => {};
  const exits: unknown[] = [];
  const willing = {
    requestFullscreen: () =>
      new Promise<void>((resolve) => {
        grant = () => {
          become(willing);
          resolve();
        };
      }),
  } as unknown as HTMLElement;
  const exitFullscreen = async () => void exits.push(page.fullscreenElement);
  Object.assign(page, { exitFullscreen });
  const screen = createFullScreen(willing, film, () => {});
  screen.enter();
  await screen.leave();
  expect(exits).toEqual([]);
  grant();
  await vi.advanceTimersByTimeAsync(0);
  expect(exits).toEqual([willing]);
});
