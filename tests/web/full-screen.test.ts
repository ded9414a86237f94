import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
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

test('what kind it is, is told whenever it changes', () => {
  const changed = vi.fn();
  const screen = createFullScreen(wrapper, film, changed);
  screen.enter();
  expect([screen.mode(), changed.mock.calls.length]).toEqual(['css', 0]);
  become(wrapper);
  expect([screen.mode(), changed.mock.calls.length]).toEqual(['element', 1]);
  // Somebody else's is not ours.
  become({});
  expect([screen.mode(), changed.mock.calls.length]).toEqual(['css', 2]);
  void screen.leave();
  become(wrapper);
  expect([screen.mode(), changed.mock.calls.length]).toEqual(['css', 2]);
});

test('it is asked for once more when the phone is turned, and not while it is there', () => {
  const screen = createFullScreen(wrapper, film, () => {});
  screen.enter();
  const before = asked.length;
  window.dispatchEvent(new Event('orientationchange'));
  expect(asked.length - before).toBe(1);
  become(wrapper);
  window.dispatchEvent(new Event('orientationchange'));
  expect(asked.length - before).toBe(1);
  void screen.leave();
  become(null);
  window.dispatchEvent(new Event('orientationchange'));
  expect(asked.length - before).toBe(1);
});

test('a refusal, or no answer for 600 ms, waits for the next tap', async () => {
  const silent = {
    requestFullscreen: () => {
      asked.push(Date.now() - left);
      return new Promise<void>(() => {});
    },
  } as unknown as HTMLElement;
  createFullScreen(silent, film, () => {}).enter();
  const times = asked.length;
  await vi.advanceTimersByTimeAsync(599);
  page.dispatchEvent(new Event('pointerup'));
  expect(asked).toHaveLength(times);
  await vi.advanceTimersByTimeAsync(1);
  page.dispatchEvent(new Event('pointerup'));
  expect(asked).toHaveLength(times + 1);
});

test.each<[string, object]>([
  ['has none', {}],
  [
    'throws at it',
    {
      requestFullscreen: () => {
        throw new TypeError('no');
      },
    },
  ],
])('a browser that %s goes on all the same', async (_what, bare) => {
  const screen = createFullScreen(bare as HTMLElement, film, () => {});
  screen.enter();
  page.dispatchEvent(new Event('pointerup'));
  await screen.leave();
  expect(screen.mode()).toBe('css');
});

test.each([
  [1_600, 900, 1],
  [900, 900, 0],
  [900, 1_600, 0],
])('a film of %i × %i lies on its side: %i', (videoWidth, videoHeight, times) => {
  const lock = vi.fn<(how: string) => Promise<void>>(() => Promise.reject(new Error('no')));
  vi.stubGlobal('screen', { orientation: { lock, unlock: () => {} } });
  createFullScreen(wrapper, { videoWidth, videoHeight } as HTMLVideoElement, () => {}).enter();
  expect(lock).not.toHaveBeenCalled();
  become(wrapper);
  expect(lock.mock.calls).toEqual(Array.from({ length: times }, () => ['landscape']));
});

describe('left', () => {
  let exits: string[];
  const leave = async (video: object = film) => {
    const screen = createFullScreen(wrapper, video as HTMLVideoElement, () => {});
    const over = screen.leave();
    await vi.advanceTimersByTimeAsync(499);
    return over;
  };
  beforeEach(() => {
    exits = [];
    const exit = (way: string) => async () => void exits.push(way);
    vi.stubGlobal('screen', { orientation: { unlock: () => exits.push('upright') } });
    Object.assign(page, { exitFullscreen: exit('page'), webkitExitFullscreen: exit('old page') });
  });

  test('the phone stands upright again, and so does what is full', async () => {
    await leave();
    expect(exits).toEqual(['upright']);
    page.fullscreenElement = wrapper;
    await leave();
    expect(exits).toEqual(['upright', 'upright', 'page']);
  });

  test('in an old browser by its own way, also from the phone’s own player', async () => {
    Object.assign(page, { exitFullscreen: undefined, webkitFullscreenElement: wrapper });
    await leave({ webkitDisplayingFullscreen: true, webkitExitFullscreen: () => exits.push('player') });
    expect(exits).toEqual(['upright', 'player', 'old page']);
  });

  test('nobody waits longer than half a second for it', async () => {
    page.fullscreenElement = wrapper;
    Object.assign(page, { exitFullscreen: () => new Promise(() => {}) });
    let isOver = false;
    void createFullScreen(wrapper, film, () => {})
      .leave()
      .then(() => {
        isOver = true;
      });
    await vi.advanceTimersByTimeAsync(499);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
});
