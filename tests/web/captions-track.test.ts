import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followCaptions } from '../../src/web/ui/captions-track.ts';
import { StandIn, type StandInPage, standInPage } from '../support/stand-in-page.ts';

/** What is to be read over the film: only what the phone, or the evening, wants read, and again after trouble. */

type TextTrack = EventTarget & { mode: string; activeCues: { getCueAsHTML: () => object }[] | null };
let page: StandInPage;
let film: StandIn & { textTracks: EventTarget; webkitDisplayingFullscreen: boolean };
let said: string[];
let stop: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  page = standInPage();
  said = [];
  film = Object.assign(new StandIn('video'), {
    textTracks: new EventTarget(),
    webkitDisplayingFullscreen: false,
  });
  const { createElement } = document;
  Object.assign(page, {
    createElement: (tag: string) => {
      const track: TextTrack = Object.assign(new EventTarget(), { mode: 'disabled', activeCues: null });
      return Object.assign(createElement(tag), { track });
    },
  });
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const follow = (always = false) => {
  stop = followCaptions(film as unknown as HTMLVideoElement, { url: '/it.vtt', always }, (text) =>
    said.push(text),
  );
};
const track = () => (film.children[0] as unknown as { track: TextTrack }).track;
const cues = (...texts: (string | null)[]) =>
  texts.map((textContent) => ({ getCueAsHTML: () => ({ textContent }) }));
/** The phone's choice, as its menu makes it. */
const choose = (mode: string) => {
  track().mode = mode;
  film.textTracks.dispatchEvent(new Event('change'));
};
const say = (...texts: (string | null)[]) => {
  track().activeCues = cues(...texts);
  track().dispatchEvent(new Event('cuechange'));
};

test('whoever hasn’t turned captions on reads none; turned on, the page draws them', () => {
  follow();
  expect(film.children[0]).toMatchObject({
    kind: 'captions',
    srclang: 'it',
    label: 'Italiano',
    src: '/it.vtt',
  });
  say('Ciao');
  expect([track().mode, said.at(-1)]).toEqual(['disabled', '']);
  choose('showing');
  // Not by the browser itself.
  expect([track().mode, said.at(-1)]).toEqual(['hidden', 'Ciao']);
  say('Ciao', null, 'amore');
  expect(said.at(-1)).toBe('Ciao\n\namore');
  track().activeCues = null;
  track().dispatchEvent(new Event('cuechange'));
  expect(said.at(-1)).toBe('');
  choose('disabled');
  expect([track().mode, said.at(-1)]).toEqual(['disabled', '']);
});

test('in the phone’s own full screen the browser draws them, outside of it the page', () => {
  follow();
  choose('showing');
  film.webkitDisplayingFullscreen = true;
  say('Ciao');
  film.dispatchEvent(new Event('webkitbeginfullscreen'));
  expect([track().mode, said.at(-1)]).toEqual(['showing', '']);
  film.webkitDisplayingFullscreen = false;
  film.dispatchEvent(new Event('webkitendfullscreen'));
  expect([track().mode, said.at(-1)]).toEqual(['hidden', 'Ciao']);
});

test('what is always to be read is, whatever the phone’s choice', () => {
  follow(true);
  expect(track().mode).toBe('hidden');
  choose('disabled');
  expect(track().mode).toBe('hidden');
  film.webkitDisplayingFullscreen = true;
  choose('disabled');
  expect(track().mode).toBe('disabled');
});

test('captions that can’t be had are asked for again, later each time, and are read then', async () => {
  follow();
  const counts: number[] = [];
  const made = () => page.made.length;
  for (const ms of [2_000, 4_000, 8_000, 16_000, 30_000, 30_000]) {
    const before = made();
    film.children[0]?.dispatchEvent(new Event('error'));
    await vi.advanceTimersByTimeAsync(ms - 1);
    counts.push(made() - before);
    await vi.advanceTimersByTimeAsync(1);
    counts.push(made() - before);
  }
  expect(counts).toEqual([0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1]);
  expect([film.children.length, track().mode]).toEqual([1, 'hidden']);
});

test('taken away, nothing is read, and nothing asked for any more', async () => {
  follow(true);
  say('Ciao');
  const [element] = film.children;
  element?.dispatchEvent(new Event('error'));
  stop();
  expect([said.at(-1), film.children]).toEqual(['', []]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([page.made.length, film.children]).toEqual([1, []]);
  said = [];
  film.dispatchEvent(new Event('playing'));
  film.textTracks.dispatchEvent(new Event('change'));
  expect(said).toEqual([]);
});
