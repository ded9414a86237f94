import { fireEvent } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageSong } from '../../src/web/visitor/media/song.ts';
import { type StandInMedia, standInMedia } from './support/media.ts';
import { pass } from './support/page.ts';

/** The song in the page: its elements, its loop, the phone's controls and fades on phones without volume control. */

let songs: readonly [StandInMedia, StandInMedia];
let song: PageSong;
let handlers: Set<string>;
let context: { state: string; gain: { value: number }; made: number; refuses: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  handlers = new Set();
  context = { state: 'running', gain: { value: -1 }, made: 0, refuses: false };
  vi.stubGlobal('MediaMetadata', function Metadata() {});
  const setActionHandler = (action: string, run: unknown) =>
    run === null ? handlers.delete(action) : handlers.add(action);
  vi.stubGlobal('navigator', { userAgent: '', mediaSession: { setActionHandler } });
  vi.stubGlobal('AudioContext', Context);
});
afterEach(() => {
  song.destroy();
});

class Context {
  constructor() {
    if (context.refuses) throw new Error('no more of these');
    context.made += 1;
  }
  get state() {
    return context.state;
  }
  createGain = () => ({ gain: context.gain, connect: (to: unknown) => to });
  createMediaElementSource = () => ({ connect: (to: unknown) => to });
  resume = async () => undefined;
}

/** @param forgetful the phone accepts a volume at once, and resets it in a later task */
async function make(forgetful = false): Promise<void> {
  vi.resetModules();
  const { createSong } = await import('../../src/web/visitor/media/song.ts');
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  standInMedia(mediaHost());
  songs = mediaHost().songs as never;
  const createdElements = vi.mocked(document.createElement).mock.results;
  song = createSong();
  const probe: StandInMedia = createdElements.at(-1)?.value;
  if (forgetful) setTimeout(() => Object.assign(probe, { volume: 1 }), 30);
  await pass(60);
}
const startSong = (viaggio: 1 | 2 = 1, url = '/song.mp3') => song.start({ url, viaggio });

test('plays each trip’s song on its own element: fades in, takes the media keys, fades out and stops', async () => {
  await make();
  startSong(2);
  expect(songs.map(({ did }) => did)).toEqual([[], ['load', 'play']]);
  expect([songs[1].getAttribute('src'), songs[1].volume, song.phase()]).toEqual(['/song.mp3', 0, 'playing']);
  await pass(10_000);
  expect([songs[1].volume, handlers.has('nexttrack')]).toEqual([1, true]);
  song.fade();
  await pass(500);
  expect(songs[1].volume).toBeLessThan(1);
  await pass(10_000);
  expect([songs[1].paused, song.phase(), handlers.size]).toEqual([true, 'silent', 0]);
  startSong();
  song.stop();
  // With a working volume nothing is sent through Web Audio.
  song.prepareFade();
  expect([songs[0].paused, song.phase(), context.made]).toEqual([true, 'silent', 0]);
});

test.each([
  [200, 30],
  [30.5, 0],
  [Number.NaN, 0],
])('restarts a song of %d s at its start point if the song reaches it: second %i', async (duration, from) => {
  await make();
  startSong(1, '/song.mp3#t=30');
  expect(songs[0].loop).toBe(false);
  Object.assign(songs[0], { duration, currentTime: duration, did: [] });
  songs[0].dispatch('ended');
  expect([songs[0].currentTime, songs[0].did]).toEqual([from, ['play']]);
});

test('leaves a loop from the beginning to the browser, and does not restart a stopped song', async () => {
  await make();
  startSong();
  expect(songs[0].loop).toBe(true);
  startSong(1, '/song.mp3#t=30');
  songs[1].dispatch('ended');
  song.stop();
  for (const each of songs) each.did = [];
  songs[0].dispatch('ended');
  expect(songs.map(({ did }) => did)).toEqual([[], []]);
});

test('resumes once after an external pause, but not at its end or for the other element', async () => {
  await make();
  startSong();
  songs[0].did = [];
  songs[1].dispatch('pause');
  Object.assign(songs[0], { paused: true, ended: true });
  songs[0].dispatch('pause');
  Object.assign(songs[0], { paused: false, ended: false });
  songs[0].dispatch('pause');
  await pass(1_000);
  expect(songs[0].did).toEqual([]);
  songs[0].paused = true;
  songs[0].dispatch('pause');
  await pass(300);
  expect(songs[0].did).toEqual(['play']);
});

test('pauses while the page is hidden, and plays when it is visible or restored', async () => {
  await make();
  startSong();
  const seen = vi.spyOn(document, 'visibilityState', 'get');
  const become = (state: 'hidden' | 'visible') => {
    seen.mockReturnValue(state);
    fireEvent(document, new Event('visibilitychange'));
  };
  become('hidden');
  expect([songs[0].paused, song.phase()]).toEqual([true, 'waiting']);
  become('visible');
  expect([songs[0].paused, song.phase()]).toEqual([false, 'playing']);
  become('hidden');
  seen.mockReturnValue('visible');
  fireEvent(window, new Event('pageshow'));
  expect(song.phase()).toBe('playing');
  song.destroy();
  become('hidden');
  become('visible');
  expect([songs[0].paused, song.phase()]).toEqual([true, 'silent']);
});

test('starts at the next touch or key after a refusal, but not at Tab', async () => {
  await make();
  songs[0].answer = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  startSong();
  await pass();
  songs[0].answer = async () => undefined;
  fireEvent.keyDown(document, { key: 'Tab' });
  expect(song.phase()).toBe('waiting');
  fireEvent.keyDown(document, { key: 'a' });
  expect(song.phase()).toBe('playing');
  songs[0].did = [];
  fireEvent.pointerUp(document);
  expect(songs[0].did).toEqual([]);
});

describe('on a phone without volume control', () => {
  test('plays at the phone’s volume, and fades through Web Audio prepared in the tap', async () => {
    await make(true);
    song.prepareFade();
    expect(context.made).toBe(0);
    startSong();
    await pass(1_000);
    expect(songs[0].volume).toBe(1);
    song.prepareFade();
    song.prepareFade();
    expect(context.made).toBe(1);
    song.fade();
    await pass(500);
    expect([context.gain.value >= 0, context.gain.value < 1]).toEqual([true, true]);
    await pass(10_000);
    expect(song.phase()).toBe('silent');
    // The next start restores the full gain.
    startSong();
    await pass();
    expect(context.gain.value).toBe(1);
  });

  test.each([
    ['is not running within 300 ms', () => Object.assign(context, { state: 'suspended' })],
    ['is one too many', () => Object.assign(context, { refuses: true })],
    ['is not there', () => vi.stubGlobal('AudioContext', undefined)],
  ])('stops without a fade if Web Audio %s', async (_what, be) => {
    be();
    await make(true);
    startSong();
    song.prepareFade();
    song.fade();
    await pass(300);
    expect([songs[0].paused, song.phase()]).toEqual([true, 'silent']);
  });
});
