import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { coverPage, freezeFrame, showPoster } from '../../src/web/visitor/media/cover.ts';
import { closeFilmSource, openFilmSource } from '../../src/web/visitor/media/film-source.ts';
import { listenToFilm } from '../../src/web/visitor/media/film-world.ts';
import { guardFilm } from '../../src/web/visitor/media/guards.ts';
import { clearSource, setSource } from '../../src/web/visitor/media/preload.ts';
import {
  mediaHost,
  releaseWakeLock,
  requestWakeLock,
  unlockMedia,
} from '../../src/web/visitor/media-host.ts';
import { type StandInCanvas, type StandInMedia, standInMedia } from './support/media.ts';
import { settle } from './support/page.ts';

/** The elements of film and songs: their sources, and the page under and around them. */

let media: ReturnType<typeof standInMedia>;
let film: StandInMedia;
beforeEach(() => {
  media = standInMedia();
  ({ film } = media);
});
const video = () => film as unknown as HTMLVideoElement;

test('creates one film and two songs, once, with the attributes that phones need', () => {
  const { wrapper, video: createdVideo, overlay, songs } = mediaHost();
  expect([...wrapper.children]).toEqual([createdVideo, overlay, ...songs]);
  expect(wrapper.style.cssText).toMatch(/z-index: ?-1/);
  for (const element of [createdVideo, ...songs]) {
    expect([element.preload, element.tabIndex]).toEqual(['auto', -1]);
    for (const name of ['playsinline', 'webkit-playsinline', 'disableremoteplayback'])
      expect(element.getAttribute(name)).toBe('');
    expect(element.getAttribute('x-webkit-airplay')).toBe('deny');
  }
  expect(createdVideo.disablePictureInPicture).toBe(true);
  expect(createdVideo.getAttribute('controlslist')).toBe(
    'nodownload noplaybackrate noremoteplayback nofullscreen',
  );
});

test('loads a source once, and unloads it once, paused', () => {
  setSource(video(), '/song.mp3');
  setSource(video(), '/song.mp3');
  setSource(video(), '/other.mp3');
  expect(film.did).toEqual(['load', 'load']);
  expect(film.preload).toBe('auto');
  expect(film.getAttribute('src')).toBe('/other.mp3');
  film.did = [];
  clearSource(video());
  clearSource(video());
  expect([film.did, film.hasAttribute('src')]).toEqual([['pause', 'load', 'pause'], false]);
});

describe('unlocking and wake lock', () => {
  let requestCount: number;
  let released: number;
  beforeEach(() => {
    [requestCount, released] = [0, 0];
    const request = async () => {
      requestCount += 1;
      return { release: async () => void (released += 1) };
    };
    vi.stubGlobal('navigator', { wakeLock: { request }, audioSession: { type: 'auto' } });
  });
  afterEach(() => releaseWakeLock());
  const seen = async (hidden = false) => {
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
    fireEvent(document, new Event('visibilitychange'));
    await settle();
  };

  test('unlocks empty elements, never the one that is already playing', () => {
    const elements = [film, ...media.songs];
    for (const element of elements) element.networkState = 0;
    unlockMedia(video());
    expect(elements.map(({ did }) => did)).toEqual([[], ['load'], ['load']]);
    for (const element of elements) element.networkState = 1;
    unlockMedia();
    expect(media.songs.map(({ did }) => did)).toEqual([['load'], ['load']]);
    expect(navigator).toMatchObject({ audioSession: { type: 'playback' } });
    vi.stubGlobal('navigator', {});
    expect(() => unlockMedia()).not.toThrow();
  });

  test('requests the wake lock again when the page becomes visible, until it is released', async () => {
    requestWakeLock();
    await seen(true);
    expect(requestCount).toBe(1);
    await seen();
    // One wake lock is held at a time.
    expect([requestCount, released]).toEqual([2, 1]);
    releaseWakeLock();
    await seen();
    expect([requestCount, released]).toEqual([2, 2]);
  });
});

test('makes the page under the film inert, dark and unscrollable, and restores it', () => {
  document.head.innerHTML =
    '<meta name="theme-color" content="#ffffff"><meta name="theme-color" content="#222222">';
  document.body.insertAdjacentHTML(
    'afterbegin',
    '<main></main><section><ol></ol></section><div inert></div>',
  );
  const [scene, section, hidden] = document.body.children as never as [HTMLElement, HTMLElement, HTMLElement];
  const notices = section.firstElementChild as HTMLElement;
  document.body.style.background = 'white';
  Object.assign(document.documentElement.style, { background: 'pink', overflow: 'auto' });
  const look = () => [
    [scene, section, hidden, media.wrapper].map(({ inert }) => inert),
    notices.parentElement?.tagName,
    [...document.querySelectorAll('meta')].map(({ content }) => content),
    [document.body, document.documentElement].map(({ style }) => style.background),
    document.documentElement.style.overflow,
    media.wrapper.style.cssText !== '',
  ];
  const before = look();
  const restorePage = coverPage([notices]);
  const dark = ['#0c0712', '#0c0712'];
  expect(look()).toEqual([[true, true, true, false], 'DIV', dark, dark, 'hidden', false]);
  expect(media.wrapper.contains(notices)).toBe(true);
  restorePage();
  expect(look()).toEqual(before);
  document.head.replaceChildren();
  document.documentElement.removeAttribute('style');
  document.body.removeAttribute('style');
});

test('shows a poster under the touch overlay, and freezes the film’s own frame if it has one', () => {
  const shown = vi.fn();
  expect(showPoster(null, shown)()).toBeUndefined();
  const hide = showPoster('/poster.jpg', shown);
  const poster = media.overlay.previousElementSibling as HTMLElement;
  expect(poster.getAttribute('src')).toBe('/poster.jpg');
  fireEvent.load(poster);
  expect(shown.mock.calls).toEqual([[poster]]);
  hide(true);
  expect(poster.dataset['fading']).toBe('true');
  fireEvent.animationEnd(poster);
  expect(media.wrapper.contains(poster)).toBe(false);
  showPoster('/poster.jpg', shown)();
  expect(media.wrapper.querySelector('img')).toBeNull();

  Object.assign(film, { readyState: 1, videoWidth: 640, videoHeight: 360 });
  expect(freezeFrame()).toBeNull();
  film.readyState = 2;
  const unfreeze = freezeFrame();
  const held = media.overlay.previousElementSibling as StandInCanvas;
  const picture = { what: film, at: [0, 0, 640, 360], alpha: 1 };
  expect([held.width, held.height, held.drawn]).toEqual([640, 360, [picture]]);
  unfreeze?.();
  expect(media.wrapper.contains(held)).toBe(false);
});

describe('film source', () => {
  const FILMS = {
    video_url: '/full.mp4',
    light_url: '/light.mp4' as string | null,
    video_bitrate: 4_000_000,
    video_playback_rate: 1,
  };
  let line: { saveData: boolean; downlink: number | undefined };
  beforeEach(() => {
    vi.useFakeTimers();
    line = { saveData: false, downlink: undefined };
    vi.stubGlobal('navigator', { onLine: true, connection: line });
    film.duration = 100;
  });
  afterEach(() => closeFilmSource());
  const src = () => film.getAttribute('src');
  /** Buffers `speed` seconds of film per second, for `ms` milliseconds. */
  async function arrive(speed: number, ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += 250) {
      film.ranges = [[0, (film.ranges[0]?.[1] ?? 0) + speed / 4]];
      await vi.advanceTimersByTimeAsync(250);
    }
  }

  test.each<
    [line: string, speed: number, light: string | null, src: string, loads: number, lighter: boolean]
  >([
    ['that carries the full film', 4, '/light.mp4', '/full.mp4', 1, true],
    ['that carries the light film alone', 0.3, '/light.mp4', '/light.mp4', 2, false],
    ['that is poor, without a light film', 0.1, null, '/full.mp4', 1, false],
  ])('chooses the film on a connection %s', async (_line, speed, light_url, url, loads, lighter) => {
    const opened = openFilmSource({ ...FILMS, light_url });
    await arrive(speed, 2_500);
    expect(src()).toBe('/full.mp4');
    await arrive(speed, 10_000);
    opened.settle();
    expect([src(), film.did.length, opened.hasLighter()]).toEqual([url, loads, lighter]);
  });

  test('loads nothing before the tap with data saving on, then the light film', async () => {
    line.saveData = true;
    const opened = openFilmSource(FILMS);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(film.did).toEqual([]);
    opened.settle();
    expect([src(), film.did]).toEqual(['/light.mp4', ['load']]);
  });

  test('uses the browser’s estimate at an early tap', () => {
    line.downlink = 3.9;
    openFilmSource(FILMS).settle();
    expect(src()).toBe('/light.mp4');
  });

  test('decides without a tap once the browser suspends loading', async () => {
    openFilmSource(FILMS);
    film.ranges = [[0, 1]];
    await vi.advanceTimersByTimeAsync(250);
    await arrive(0.3, 1_250);
    Object.assign(film, { networkState: 1, ranges: [[0, 1.5]] });
    film.dispatch('suspend');
    expect(src()).toBe('/light.mp4');
  });

  test('switches to the light film on request, and is replaced by another film', () => {
    const opened = openFilmSource(FILMS);
    opened.switchToLight();
    expect([src(), opened.hasLighter()]).toEqual(['/light.mp4', false]);
    expect(openFilmSource({ ...FILMS, video_url: '/other.mp4' })).not.toBe(opened);
    expect(src()).toBe('/other.mp4');
  });

  test.each(['offline', 'hidden'])('measures nothing while it is %s', async (how) => {
    if (how === 'offline') Object.assign(navigator, { onLine: false });
    else vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
    openFilmSource(FILMS);
    await arrive(0.1, 30_000);
    expect(src()).toBe('/full.mp4');
  });
});

test('blocks keys, menu, dragging and picture-in-picture while the film is locked, until stopped', () => {
  let locked = true;
  const stop = guardFilm(media.wrapper, video(), () => locked);
  const isTaken = (event: Event, on: EventTarget = document) => !on.dispatchEvent(event);
  const takesKey = (init: KeyboardEventInit, on?: EventTarget) =>
    isTaken(new KeyboardEvent('keydown', { ...init, cancelable: true, bubbles: true }), on);
  const takes = (name: string) => isTaken(new Event(name, { cancelable: true }), media.wrapper);
  const left = vi.fn(async () => undefined);
  const modes: string[] = [];
  Object.assign(document, { exitPictureInPicture: left });
  const webkitSetPresentationMode = (mode: string) => modes.push(mode);
  Object.assign(film, { webkitPresentationMode: 'inline', webkitSetPresentationMode });

  expect([' ', 'ArrowRight', 'Tab'].map((key) => takesKey({ key }))).toEqual([true, true, false]);
  for (const meant of ['ctrlKey', 'metaKey', 'altKey'])
    expect(takesKey({ key: 'f', [meant]: true })).toBe(false);
  const button = document.createElement('button');
  media.overlay.append(button);
  expect(takesKey({ key: ' ' }, button)).toBe(false);
  button.remove();
  locked = false;
  expect(takesKey({ key: ' ' })).toBe(false);
  locked = true;
  expect(['contextmenu', 'dragstart'].map(takes)).toEqual([true, true]);
  film.dispatch('enterpictureinpicture', 'webkitpresentationmodechanged');
  expect([left.mock.calls.length, modes]).toEqual([1, []]);
  Object.assign(film, { webkitPresentationMode: 'picture-in-picture' });
  film.dispatch('webkitpresentationmodechanged');
  expect(modes).toEqual(['inline']);
  stop();
  expect([takesKey({ key: ' ' }), takes('contextmenu')]).toEqual([false, false]);
});

test('passes on events of film, page and connection until it is stopped', () => {
  const events: string[] = [];
  const loading = vi.fn();
  const stop = listenToFilm(video(), ({ type }) => events.push(type), loading);
  const words = 'loadedmetadata playing timeupdate pause seeking seeked ratechange error ended'.split(' ');
  film.dispatch(...words);
  expect(events).toEqual(words);
  const before = loading.mock.calls.length;
  film.dispatch('progress', 'canplay', 'suspend', 'durationchange');
  expect([loading.mock.calls.length - before, events.length]).toEqual([4, words.length]);
  events.length = 0;
  film.dispatch('webkitendfullscreen');
  // Other listeners of the document may read it first.
  const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  visibility.mockRestore();
  for (const word of ['pageshow', 'focus', 'offline', 'online']) window.dispatchEvent(new Event(word));
  expect(events).toEqual(['nativeLeft', 'hidden', 'visible', 'visible', 'offline', 'online']);
  stop();
  events.length = 0;
  film.dispatch('pause');
  window.dispatchEvent(new Event('online'));
  document.dispatchEvent(new Event('visibilitychange'));
  expect(events).toEqual([]);
});
