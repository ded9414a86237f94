import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followCaptions } from '../../src/web/ui/captions-track.ts';

/** What is to be read over the film: only what the phone, or the evening, wants read, and again after trouble. */

type Track = EventTarget & { mode: string; activeCues: { getCueAsHTML: () => object }[] | null };
let film: HTMLVideoElement & { textTracks: EventTarget; webkitDisplayingFullscreen: boolean };
let said: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  said = [];
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
  stop = followCaptions(film, { url: '/it.vtt', always }, (text) => said.push(text));
};
const element = () => film.firstElementChild as HTMLTrackElement;
const track = () => element().track as unknown as Track;
/** The phone's choice, as its menu makes it. */
const choose = (mode: string) => {
  track().mode = mode;
  film.textTracks.dispatchEvent(new Event('change'));
};
const say = (...texts: (string | null)[]) => {
  track().activeCues = texts.map((textContent) => ({ getCueAsHTML: () => ({ textContent }) }));
  track().dispatchEvent(new Event('cuechange'));
};
const look = () => [track().mode, said.at(-1)];

test('shows them where the phone has captions on: the page draws them, the browser in its own full screen', () => {
  follow();
  for (const [name, value] of Object.entries({
    kind: 'captions',
    srclang: 'it',
    label: 'Italiano',
    src: '/it.vtt',
  }))
    expect(element().getAttribute(name)).toBe(value);
  say('Ciao');
  expect(look()).toEqual(['disabled', '']);
  choose('showing');
  expect(look()).toEqual(['hidden', 'Ciao']);
  say('Ciao', null, 'amore');
  expect(said.at(-1)).toBe('Ciao\n\namore');
  film.webkitDisplayingFullscreen = true;
  film.dispatchEvent(new Event('webkitbeginfullscreen'));
  expect(look()).toEqual(['showing', '']);
  film.webkitDisplayingFullscreen = false;
  film.dispatchEvent(new Event('webkitendfullscreen'));
  expect(look()).toEqual(['hidden', 'Ciao\n\namore']);
  track().activeCues = null;
  track().dispatchEvent(new Event('cuechange'));
  expect(said.at(-1)).toBe('');
  choose('disabled');
  expect(look()).toEqual(['disabled', '']);
});

test('always shows what is always to be read, but not beside the browser’s own', () => {
  follow(true);
  expect(track().mode).toBe('hidden');
  choose('disabled');
  expect(track().mode).toBe('hidden');
  film.webkitDisplayingFullscreen = true;
  choose('disabled');
  expect(track().mode).toBe('disabled');
});

test('asks again for captions that can’t be had, later each time, until it is stopped', async () => {
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
  say('Ciao');
  element().dispatchEvent(new Event('error'));
  stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([said.at(-1), film.childElementCount]).toEqual(['', 0]);
  said = [];
  for (const target of [film, film.textTracks]) target.dispatchEvent(new Event('change'));
  expect(said).toEqual([]);
});
