import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Source from '../../src/web/visitor/media/film-source.ts';
import { type StandInMedia, standInPage, standInWindow } from '../support/stand-in-page.ts';

/** Which of a film's versions is loaded ahead: by what arrives, by what the browser says, and at the tap. */

let film: StandInMedia;
let source: typeof Source;
let line: { saveData: boolean; downlink: number | undefined };
const FILMS = {
  video_url: '/full.mp4',
  light_url: '/light.mp4' as string | null,
  video_bitrate: 4_000_000,
  video_playback_rate: 1,
};

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  const page = standInPage();
  standInWindow();
  line = { saveData: false, downlink: undefined };
  vi.stubGlobal('navigator', { onLine: true, connection: line });
  source = await import('../../src/web/visitor/media/film-source.ts');
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  film = mediaHost().video as unknown as StandInMedia;
  Object.assign(film, { duration: 100 });
  page.hidden = false;
});
afterEach(() => {
  source.closeFilmSource();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** So many seconds of film arrive in a second of hers. */
async function arrive(speed: number, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 250) {
    const there = film.ranges[0]?.[1] ?? 0;
    film.ranges = [[0, there + speed / 4]];
    await vi.advanceTimersByTimeAsync(250);
  }
}

test('a film without a light one is loaded, and that is that', async () => {
  const opened = source.openFilmSource({ ...FILMS, light_url: null });
  expect([film.src, film.did, opened.lighter()]).toEqual(['/full.mp4', ['load'], false]);
  await arrive(0.1, 60_000);
  opened.settle();
  expect([film.src, film.did]).toEqual(['/full.mp4', ['load']]);
});

test('on a line that carries it the full one stays', async () => {
  const opened = source.openFilmSource(FILMS);
  await arrive(4, 10_000);
  opened.settle();
  expect([film.src, film.did, opened.lighter()]).toEqual(['/full.mp4', ['load'], true]);
});

test('on one that doesn’t the light one is loaded as soon as that is clear', async () => {
  const opened = source.openFilmSource(FILMS);
  await arrive(0.3, 2_500);
  expect(film.src).toBe('/full.mp4');
  await arrive(0.3, 1_500);
  expect([film.src, film.did, opened.lighter()]).toEqual(['/light.mp4', ['load', 'load'], false]);
});

test('what arrives in two pieces is counted together', async () => {
  source.openFilmSource(FILMS);
  for (let there = 0; there < 12; there += 1) {
    film.ranges = [
      [0, there * 0.3],
      [50, 50 + there * 0.3],
    ];
    await vi.advanceTimersByTimeAsync(250);
  }
  // 2.4 seconds of film in a second of hers.
  await vi.advanceTimersByTimeAsync(250);
  expect(film.src).toBe('/full.mp4');
});

test('to who saves data nothing is sent before the tap, and then the light one', async () => {
  line.saveData = true;
  const opened = source.openFilmSource(FILMS);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(film.did).toEqual([]);
  opened.settle();
  expect([film.src, film.did]).toEqual(['/light.mp4', ['load']]);
});

test.each([
  [3.9, '/light.mp4'],
  [4, '/full.mp4'],
  [undefined, '/full.mp4'],
])('at a tap before anything is clear the browser’s word counts: %s Mbit/s are for %s', (downlink, url) => {
  line.downlink = downlink;
  source.openFilmSource(FILMS).settle();
  expect(film.src).toBe(url);
});

test('a browser that loads no more tells enough by itself, without a tap', async () => {
  source.openFilmSource(FILMS);
  film.ranges = [[0, 1]];
  await vi.advanceTimersByTimeAsync(250);
  await arrive(0.3, 1_250);
  film.networkState = 1;
  film.ranges = [[0, 1.5]];
  film.say('suspend');
  expect(film.src).toBe('/light.mp4');
});

test('hidden or offline, what doesn’t arrive says nothing about the line', async () => {
  source.openFilmSource(FILMS);
  Object.assign(navigator, { onLine: false });
  await arrive(0.1, 30_000);
  expect(film.src).toBe('/full.mp4');
  Object.assign(navigator, { onLine: true });
  Object.assign(document, { hidden: true });
  await arrive(0.1, 30_000);
  expect(film.src).toBe('/full.mp4');
});

test('the same film is the same source; another takes its place; closed, it is looked at no more', async () => {
  const opened = source.openFilmSource(FILMS);
  expect(source.openFilmSource(FILMS)).toBe(opened);
  expect(film.did).toEqual(['load']);
  const other = { ...FILMS, video_url: '/other.mp4' };
  expect(source.openFilmSource(other)).not.toBe(opened);
  expect(film.src).toBe('/other.mp4');
  source.closeFilmSource();
  await arrive(0.1, 30_000);
  expect(film.src).toBe('/other.mp4');
});

test('the light one goes into the same element when it is asked for', () => {
  const opened = source.openFilmSource(FILMS);
  expect(opened.lighter()).toBe(true);
  opened.lighten();
  expect([film.src, opened.lighter()]).toEqual(['/light.mp4', false]);
});
