import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followCaptions } from '../../src/web/ui/captions-track.ts';

/** Captions over the film: shown if the phone or the evening requires them, and retried after errors. */

type Track = EventTarget & { mode: string; activeCues: { getCueAsHTML: () => object }[] | null };
let film: HTMLVideoElement & { textTracks: EventTarget; webkitDisplayingFullscreen: boolean };
let shownTexts: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  shownTexts = [];
  const create = document.createElement.bind(document);
  film = Object.defineProperty(create('video'), 'textTracks', { value: new EventTarget() }) as typeof film;
  film.webkitDisplayingFullscreen = false;
  vi.spyOn(document, 'createElement').mockImplementation((tag: string) => {
    const value: Track = Object.assign(new EventTarget(), { mode: 'disabled', activeCues: null });
    return Object.defineProperty(create(tag), 'track', { value, configurable: true });
  });
});
afterEach(() => {
  stop();
});

const follow = (always = false) => {
  stop = followCaptions(film, { url: '/it.vtt', always }, (text) => shownTexts.push(text));
};
const element = () => film.firstElementChild as HTMLTrackElement;
const track = () => element().track as unknown as Track;
/** Sets the track's mode as the phone's menu does. */
const choose = (mode: string) => {
  track().mode = mode;
  film.textTracks.dispatchEvent(new Event('change'));
};
const setCues = (...texts: (string | null)[]) => {
  track().activeCues = texts.map((textContent) => ({ getCueAsHTML: () => ({ textContent }) }));
  track().dispatchEvent(new Event('cuechange'));
};
const readState = () => [track().mode, shownTexts.at(-1)];

test('shows captions if the phone enables them: in the page, or natively in the browser’s full screen', () => {
  follow();
  expect(element().getAttribute('src')).toBe('/it.vtt');
  setCues('Ciao');
  expect(readState()).toEqual(['disabled', '']);
  choose('showing');
  expect(readState()).toEqual(['hidden', 'Ciao']);
  setCues('Ciao', null, 'amore');
  expect(shownTexts.at(-1)).toBe('Ciao\n\namore');
  film.webkitDisplayingFullscreen = true;
  film.dispatchEvent(new Event('webkitbeginfullscreen'));
  expect(readState()).toEqual(['showing', '']);
  film.webkitDisplayingFullscreen = false;
  film.dispatchEvent(new Event('webkitendfullscreen'));
  expect(readState()).toEqual(['hidden', 'Ciao\n\namore']);
  choose('disabled');
  expect(readState()).toEqual(['disabled', '']);
});

test('shows mandatory captions even if disabled, except in the browser’s own full screen', () => {
  follow(true);
  expect(track().mode).toBe('hidden');
  choose('disabled');
  expect(track().mode).toBe('hidden');
  film.webkitDisplayingFullscreen = true;
  choose('disabled');
  expect(track().mode).toBe('disabled');
});

test('retries failed captions with growing delays until it is stopped', async () => {
  follow();
  for (const ms of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = element();
    before.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(ms - 1);
    expect(element()).toBe(before);
    await vi.advanceTimersByTimeAsync(1);
    expect(element()).not.toBe(before);
  }
  expect([film.childElementCount, track().mode]).toEqual([1, 'hidden']);
  setCues('Ciao');
  element().dispatchEvent(new Event('error'));
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([shownTexts.at(-1), film.childElementCount]).toEqual(['', 0]);
  shownTexts = [];
  for (const target of [film, film.textTracks]) target.dispatchEvent(new Event('change'));
  expect(shownTexts).toEqual([]);
});
