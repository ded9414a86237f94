import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Surround } from '../../src/web/visitor/media/surround.ts';
import {
  type StandIn,
  StandInCanvas,
  StandInImage,
  type StandInMedia,
  type StandInPage,
  standInPage,
} from '../support/stand-in-page.ts';

/** What fills the bars beside the film: when it is drawn, how strongly, and what stays of it. */

let page: StandInPage;
let wrapper: StandIn;
let film: StandInMedia;
let surround: Surround;
let still: boolean;
let saving: boolean;
let sized: (width: number, height: number) => void;
let watched: unknown[];

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  page = standInPage();
  [still, saving, watched] = [false, false, []];
  for (const [name, size] of Object.entries({ innerWidth: 400, innerHeight: 800 })) vi.stubGlobal(name, size);
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
  vi.stubGlobal('navigator', { connection: { saveData: false } });
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(told: (entries: { contentRect: { width: number; height: number } }[]) => void) {
        sized = (width, height) => told([{ contentRect: { width, height } }]);
      }
      observe(element: unknown): void {
        watched.push(element);
      }
      disconnect(): void {
        watched = [];
      }
    },
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A film of 1600 × 900 that plays on a phone held upright, surrounded. */
async function begin(): Promise<StandInCanvas> {
  vi.stubGlobal('navigator', { connection: { saveData: saving } });
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  const { surroundFilm } = await import('../../src/web/visitor/media/surround.ts');
  const host = mediaHost();
  wrapper = host.wrapper as unknown as StandIn;
  film = host.video as unknown as StandInMedia;
  Object.assign(film, { readyState: 2, videoWidth: 1_600, videoHeight: 900, paused: false });
  surround = surroundFilm();
  const glow = wrapper.children[0];
  if (!(glow instanceof StandInCanvas)) throw new Error('Nothing lies under the film');
  return glow;
}
const pass = (ms: number) => vi.advanceTimersByTime(ms);
const strengths = ({ drawn }: StandInCanvas) => drawn.map(({ alpha }) => Math.round(alpha * 100));

test('the film’s picture is made small and dark, and laid on five times, one beside the other', async () => {
  const glow = await begin();
  expect(watched).toEqual([wrapper]);
  pass(199);
  expect(glow.drawn).toEqual([]);
  pass(1);
  expect([glow.width, glow.height]).toEqual([96, 54]);
  expect(glow.drawn.map(({ at }) => at)).toEqual([
    [0, 0, 96, 54],
    [3, 0, 96, 54],
    [-3, 0, 96, 54],
    [0, 3, 96, 54],
    [0, -3, 96, 54],
  ]);
  expect(strengths(glow)).toEqual([100, 40, 40, 40, 40]);
  const small = glow.drawn[0]?.what;
  if (!(small instanceof StandInCanvas)) throw new Error('It was not made small');
  expect(small.drawn).toEqual([
    { what: film, at: [0, 0, 16, 9], alpha: 1 },
    { what: 'rgb(11 5 10 / 58%)', at: [0, 0, 16, 9], alpha: 1 },
  ]);
});

test('while it plays each look is laid over the ones before; a film that rests is drawn once', async () => {
  const glow = await begin();
  pass(400);
  expect(strengths(glow).slice(5)).toEqual([45, 18, 18, 18, 18]);
  pass(200);
  expect(glow.drawn).toHaveLength(15);
  film.paused = true;
  pass(10_000);
  expect(glow.drawn).toHaveLength(15);
});

test.each(['motion', 'data'])('where %s are to be spared it stays with its first picture', async (what) => {
  still = what === 'motion';
  saving = what === 'data';
  const glow = await begin();
  pass(10_000);
  expect(glow.drawn).toHaveLength(5);
});

test('nothing is drawn of a film that isn’t there, nor for a page that nobody sees', async () => {
  const glow = await begin();
  film.readyState = 1;
  pass(1_000);
  film.readyState = 2;
  page.hidden = true;
  pass(1_000);
  page.hidden = false;
  film.videoHeight = 0;
  pass(1_000);
  film.videoHeight = 900;
  film.videoWidth = 0;
  pass(1_000);
  expect(glow.drawn).toEqual([]);
  film.videoWidth = 1_600;
  pass(200);
  expect(glow.drawn).not.toEqual([]);
});

test.each([
  [1_600, 900, false],
  [1_600, 885, false],
  [1_600, 880, true],
  [1_600, 920, true],
  [1_570, 900, false],
  [1_565, 900, true],
])('a screen of %i × %i has bars worth filling: %s', async (width, height, has) => {
  const glow = await begin();
  sized(width, height);
  pass(200);
  expect(glow.drawn.length > 0).toBe(has);
});

test('another film’s shape is another canvas; the flattest still has a line', async () => {
  const glow = await begin();
  pass(200);
  Object.assign(film, { videoWidth: 900, videoHeight: 1_600 });
  pass(200);
  expect([glow.width, glow.height]).toEqual([96, 171]);
  Object.assign(film, { videoWidth: 9_000, videoHeight: 10 });
  pass(200);
  expect(glow.height).toBe(1);
  expect(glow.drawn.at(-1)?.what).toMatchObject({ width: 16, height: 1 });
});

test('a poster takes the whole place of what was drawn before it', async () => {
  const glow = await begin();
  pass(200);
  const poster = Object.assign(new StandInImage('img'), { naturalWidth: 400, naturalHeight: 300 });
  surround.show(poster as unknown as HTMLImageElement);
  expect(strengths(glow).slice(5)).toEqual([100, 40, 40, 40, 40]);
  expect(glow.height).toBe(72);
});

test('where a canvas can’t be drawn on nothing breaks', async () => {
  StandInCanvas.draws = false;
  const glow = await begin();
  pass(400);
  expect(glow.drawn).toEqual([]);
  surround.leaveAfterImage()();
});

test('taken away, it looks no more', async () => {
  const glow = await begin();
  surround.remove();
  pass(1_000);
  expect([glow.drawn, wrapper.children.includes(glow), watched]).toEqual([[], false, []]);
});

describe('the film’s last picture', () => {
  const left = () => page.body.children.find((element) => element !== wrapper);

  test('stays on the page, in what surrounds it, until it has dissolved', async () => {
    const glow = await begin();
    pass(200);
    const dissolve = surround.leaveAfterImage();
    const parts = left()?.children.map((part) => (part as StandInCanvas).drawn[0]?.what);
    expect(parts).toEqual([glow, film]);
    expect(left()?.dataset['fading']).toBeUndefined();
    pass(60_000);
    expect(left()).toBeDefined();
    dissolve();
    expect(left()?.dataset['fading']).toBe('true');
    left()?.dispatchEvent(new Event('animationend'));
    expect(left()).toBeUndefined();
  });

  test.each([
    { screen: [400, 800], size: [400, 225] },
    { screen: [1_600, 450], size: [800, 450] },
    { screen: [3_000, 2_000], size: [1_600, 900] },
  ])('is drawn no finer than a screen of $screen needs it', async ({ screen, size }) => {
    for (const [index, name] of ['innerWidth', 'innerHeight'].entries()) vi.stubGlobal(name, screen[index]);
    await begin();
    surround.leaveAfterImage();
    const picture = left()?.children[1] as StandInCanvas;
    expect([picture.width, picture.height, picture.drawn[0]?.at]).toEqual([...size, [0, 0, ...size]]);
  });

  test('is gone after four seconds where a browser tells of no end', async () => {
    await begin();
    surround.leaveAfterImage()();
    pass(3_999);
    expect(left()).toBeDefined();
    pass(1);
    expect(left()).toBeUndefined();
  });

  test.each(['motion isn’t wanted', 'there is none'])('where %s, none is left', async (why) => {
    await begin();
    if (why === 'there is none') film.readyState = 1;
    else still = true;
    surround.leaveAfterImage()();
    expect(left()).toBeUndefined();
  });
});
