import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  StandIn,
  StandInCanvas,
  StandInMedia,
  type StandInPage,
  standInPage,
} from '../support/stand-in-page.ts';

/** The film's elements, and the page under them while the film covers it. */

let page: StandInPage;
let asked: number;
let released: number;
let refused: boolean;

beforeEach(() => {
  vi.resetModules();
  page = standInPage();
  [asked, released, refused] = [0, 0, false];
  const request = async () => {
    asked += 1;
    if (refused) throw new DOMException('no', 'NotAllowedError');
    return { release: async () => void (released += 1) };
  };
  vi.stubGlobal('navigator', { wakeLock: { request }, audioSession: { type: 'auto' } });
});
afterEach(() => vi.unstubAllGlobals());

const hosts = () => import('../../src/web/visitor/media-host.ts');
const covers = () => import('../../src/web/visitor/media/cover.ts');
const settle = () => new Promise((resolve) => setImmediate(resolve));
const media = () => page.made.filter((element) => element instanceof StandInMedia);
const seenAgain = async (hidden = false) => {
  page.hidden = hidden;
  page.dispatchEvent(new Event('visibilitychange'));
  await settle();
};

test('one film and two songs, once, at the end of the page; phones may play them in it', async () => {
  const { mediaHost } = await hosts();
  const { wrapper, video, overlay, songs } = mediaHost();
  expect(mediaHost().video).toBe(video);
  expect(page.body.children).toEqual([wrapper]);
  expect((wrapper as unknown as StandIn).children).toEqual([video, overlay, ...songs]);
  expect(wrapper.style.cssText).toMatch(/z-index:-1/);
  for (const element of media()) {
    expect(element).toMatchObject({ preload: 'auto', tabIndex: -1 });
    expect(element.attributes).toMatchObject({
      playsinline: '',
      'webkit-playsinline': '',
      disableremoteplayback: '',
      'x-webkit-airplay': 'deny',
    });
  }
  expect(video.disablePictureInPicture).toBe(true);
  expect(media()[0]?.attributes['controlslist']).toMatch(/nofullscreen/);
  expect(songs.map(({ loop }) => loop)).toEqual([true, true]);
});

test('a tap unlocks each of them once, and not what it has begun to play', async () => {
  const { mediaHost, primeMedia } = await hosts();
  const { video } = mediaHost();
  primeMedia(video);
  expect(media().map(({ did }) => did)).toEqual([[], ['load'], ['load']]);
  primeMedia();
  expect(media().map(({ did }) => did)).toEqual([[], ['load'], ['load']]);
  expect(navigator).toMatchObject({ audioSession: { type: 'playback' } });
  expect(asked).toBe(2);
});

test('what holds nothing is unlocked once more: there is nothing to throw away', async () => {
  const { primeMedia } = await hosts();
  primeMedia();
  const [film] = media();
  Object.assign(film ?? {}, { networkState: 0 });
  primeMedia();
  expect(media().map(({ did }) => did.length)).toEqual([2, 1, 1]);
});

test('a phone without audio sessions and wake locks is primed as well', async () => {
  vi.stubGlobal('navigator', {});
  const { primeMedia, letSleep } = await hosts();
  primeMedia();
  letSleep();
  expect(media().map(({ did }) => did)).toEqual([['load'], ['load'], ['load']]);
});

test('the screen stays on, again whenever the page is seen again, until it may sleep', async () => {
  const { keepAwake, letSleep } = await hosts();
  keepAwake();
  await seenAgain(true);
  expect(asked).toBe(1);
  await seenAgain();
  // One is held at a time.
  expect([asked, released]).toEqual([2, 1]);
  keepAwake();
  await seenAgain();
  expect([asked, released]).toEqual([4, 3]);
  letSleep();
  await seenAgain();
  expect([asked, released]).toEqual([4, 4]);
  keepAwake();
  await seenAgain();
  expect(asked).toBe(6);
});

test('a screen that may not be kept on is no failure', async () => {
  refused = true;
  const { keepAwake, letSleep } = await hosts();
  keepAwake();
  keepAwake();
  letSleep();
  await settle();
  expect([asked, released]).toEqual([2, 0]);
});

test('under the film nothing is in reach, nothing scrolls and all is dark; then all is as it was', async () => {
  const { coverPage } = await covers();
  const { mediaHost } = await hosts();
  const [scene, notices, hidden] = [new StandIn('main'), new StandIn('ol'), new StandIn('div')];
  page.body.append(scene, notices, hidden);
  hidden.inert = true;
  page.metas = [{ content: '#ffffff' }, { content: '#222222' }];
  page.body.style['background'] = 'white';
  page.documentElement.style['background'] = 'pink';
  page.documentElement.style['overflow'] = 'auto';
  const wrapper = mediaHost().wrapper as unknown as StandIn;
  const look = () => ({
    inert: [scene, notices, hidden, wrapper].map(({ inert }) => inert),
    around: notices.parentElement?.tag,
    themes: page.metas.map(({ content }) => content),
    background: [page.body, page.documentElement].map(({ style }) => style['background']),
    overflow: page.documentElement.style['overflow'],
    film: [wrapper.className, wrapper.style['cssText'] === ''],
  });
  const before = look();
  const lift = coverPage([notices as unknown as HTMLElement]);
  expect(look()).toEqual({
    inert: [true, false, true, false],
    around: 'div',
    themes: ['#0c0712', '#0c0712'],
    background: ['#0c0712', '#0c0712'],
    overflow: 'hidden',
    film: [expect.stringContaining('film'), true],
  });
  lift();
  expect(look()).toEqual(before);
  expect(page.body.children.filter(({ tag }) => tag !== 'div')).toEqual([scene, notices]);
  // Lifted once: what was changed since stays.
  scene.inert = true;
  lift();
  expect(scene.inert).toBe(true);
});

test('a poster lies under what takes the touches, and says when it can be seen', async () => {
  const { showPoster } = await covers();
  const { mediaHost } = await hosts();
  const shown = vi.fn();
  expect(showPoster(null, shown)()).toBeUndefined();
  const hide = showPoster('/poster.jpg', shown);
  const wrapper = mediaHost().wrapper as unknown as StandIn;
  const [film, poster, overlay] = wrapper.children;
  expect([film?.tag, poster, overlay]).toEqual([
    'video',
    expect.objectContaining({ src: '/poster.jpg', alt: '' }),
    mediaHost().overlay,
  ]);
  expect(shown).not.toHaveBeenCalled();
  poster?.dispatchEvent(new Event('load'));
  expect(shown.mock.calls).toEqual([[poster]]);
  hide();
  expect(wrapper.children).not.toContain(poster);
});

test('the film’s picture is held over it while its element is empty; where it shows none, none', async () => {
  const { holdPicture } = await covers();
  const { mediaHost } = await hosts();
  const { video, wrapper, overlay } = mediaHost();
  const film = video as unknown as StandInMedia;
  Object.assign(film, { readyState: 1, videoWidth: 640, videoHeight: 360 });
  expect(holdPicture()).toBeNull();
  film.readyState = 2;
  const letGo = holdPicture();
  const { children } = wrapper as unknown as StandIn;
  const [, held] = children;
  expect(children.slice(0, 3)).toEqual([film, held, overlay]);
  if (!(held instanceof StandInCanvas)) throw new Error('No picture is held');
  expect([held.width, held.height, held.drawn]).toEqual([
    640,
    360,
    [{ what: film, at: [0, 0, 640, 360], alpha: 1 }],
  ]);
  letGo?.();
  expect((wrapper as unknown as StandIn).children).not.toContain(held);
  StandInCanvas.draws = false;
  expect(holdPicture()).toBeNull();
});
