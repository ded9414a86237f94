import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LockEvent } from '../../src/experience/video-lock/lock-types.ts';
import { listenToFilm } from '../../src/web/visitor/media/film-world.ts';
import { guardFilm } from '../../src/web/visitor/media/guards.ts';

/** The film's hands and ears, on event targets that stand for the element and its page. */

class Control extends EventTarget {
  closest = () => this;
}
class Film extends EventTarget {
  webkitPresentationMode = 'inline';
  modes: string[] = [];
  webkitSetPresentationMode(mode: string): void {
    this.modes.push(mode);
  }
}

let film: Film;
let screen: EventTarget & { visibilityState: string; exitPictureInPicture: () => Promise<void> };
let view: EventTarget;
const left = vi.fn(async () => undefined);

beforeEach(() => {
  film = new Film();
  view = new EventTarget();
  screen = Object.assign(new EventTarget(), { visibilityState: 'visible', exitPictureInPicture: left });
  vi.stubGlobal('document', screen);
  vi.stubGlobal('addEventListener', view.addEventListener.bind(view));
  vi.stubGlobal('Element', Control);
  left.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

const video = () => film as unknown as HTMLVideoElement;

/** Was it kept from the browser? */
function isTaken(on: EventTarget, name: string, more: object = {}): boolean {
  const event = Object.assign(new Event(name, { cancelable: true }), more);
  on.dispatchEvent(event);
  return event.defaultPrevented;
}

describe('hands', () => {
  let locked = true;
  let wrapper: EventTarget;
  let stop: () => void;
  beforeEach(() => {
    locked = true;
    wrapper = new EventTarget();
    stop = guardFilm(wrapper as unknown as HTMLElement, video(), () => locked);
  });
  afterEach(() => stop());

  test.each<[string, object, boolean]>([
    ['the space bar', { key: ' ' }, true],
    ['an arrow', { key: 'ArrowRight' }, true],
    ['Tab', { key: 'Tab' }, false],
    ['Ctrl and f', { key: 'f', ctrlKey: true }, false],
    ['Cmd and l', { key: 'l', metaKey: true }, false],
    ['Alt and an arrow', { key: 'ArrowLeft', altKey: true }, false],
  ])('%s is taken from the browser: %j is %s', (_name, key, taken) => {
    expect(isTaken(screen, 'keydown', key)).toBe(taken);
  });

  test('a button above the film is used by keyboard', () => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key: ' ' });
    Object.defineProperty(event, 'target', { value: new Control() });
    screen.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(false);
  });

  test('a film that isn’t locked leaves the keys alone', () => {
    locked = false;
    expect(isTaken(screen, 'keydown', { key: ' ' })).toBe(false);
  });

  test('no menu, no dragging, no picture in picture', () => {
    expect(isTaken(wrapper, 'contextmenu')).toBe(true);
    expect(isTaken(wrapper, 'dragstart')).toBe(true);
    film.dispatchEvent(new Event('enterpictureinpicture'));
    expect(left).toHaveBeenCalledOnce();
    film.dispatchEvent(new Event('webkitpresentationmodechanged'));
    expect(film.modes).toEqual([]);
    film.webkitPresentationMode = 'picture-in-picture';
    film.dispatchEvent(new Event('webkitpresentationmodechanged'));
    expect(film.modes).toEqual(['inline']);
  });

  test('let go, it takes nothing any more', () => {
    stop();
    expect(isTaken(screen, 'keydown', { key: ' ' })).toBe(false);
    expect(isTaken(wrapper, 'contextmenu')).toBe(false);
  });
});

describe('ears', () => {
  let heard: LockEvent['type'][];
  let loadings: number;
  let stop: () => void;
  beforeEach(() => {
    heard = [];
    loadings = 0;
    stop = listenToFilm(
      video(),
      ({ type }) => heard.push(type),
      () => {
        loadings += 1;
      },
    );
  });
  afterEach(() => stop());

  test('what the element says is passed on in its own words', () => {
    const words = ['loadedmetadata', 'playing', 'timeupdate', 'pause', 'seeking', 'seeked', 'ratechange'];
    for (const word of [...words, 'error', 'ended']) film.dispatchEvent(new Event(word));
    expect(heard).toEqual([...words, 'error', 'ended']);
  });

  test('what loads it is told apart', () => {
    for (const word of ['progress', 'canplay', 'suspend', 'durationchange'])
      film.dispatchEvent(new Event(word));
    expect([loadings, heard]).toEqual([4, []]);
  });

  test('the phone’s own player, the page and the connection are heard, too', () => {
    film.dispatchEvent(new Event('webkitendfullscreen'));
    screen.visibilityState = 'hidden';
    screen.dispatchEvent(new Event('visibilitychange'));
    screen.visibilityState = 'visible';
    for (const word of ['pageshow', 'focus', 'offline', 'online']) view.dispatchEvent(new Event(word));
    expect(heard).toEqual(['nativeLeft', 'hidden', 'visible', 'visible', 'offline', 'online']);
  });

  test('stopped, it hears nothing', () => {
    stop();
    film.dispatchEvent(new Event('pause'));
    view.dispatchEvent(new Event('online'));
    screen.dispatchEvent(new Event('visibilitychange'));
    expect(heard).toEqual([]);
  });
});
