import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageSong } from '../../src/web/visitor/media/song.ts';
import { StandInMedia, type StandInPage, standInPage, standInWindow } from '../support/stand-in-page.ts';

/** The song in the page: which element sings, what its own loop and the phone's controls do, and how a phone without loudness fades. */

let page: StandInPage;
let view: EventTarget;
let songs: StandInMedia[];
let song: PageSong;
let handlers: Map<string, unknown>;
/** A phone gives a loudness back at once, and takes it away in a later task. */
let forgetful: boolean;
let context: { state: string; gain: { value: number }; made: number; refuses: boolean };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  page = standInPage();
  view = standInWindow();
  forgetful = false;
  handlers = new Map();
  context = { state: 'running', gain: { value: -1 }, made: 0, refuses: false };
  vi.stubGlobal('MediaMetadata', function Metadata() {});
  vi.stubGlobal('navigator', {
    mediaSession: {
      setActionHandler: (action: string, run: unknown) => {
        if (run === null) handlers.delete(action);
        else handlers.set(action, run);
      },
    },
  });
  vi.stubGlobal('AudioContext', Context);
});
afterEach(() => {
  song.destroy();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

class Context {
  destination = 'the loudspeaker';
  constructor() {
    if (context.refuses) throw new Error('no more of these');
    context.made += 1;
  }
  get state() {
    return context.state;
  }
  createGain() {
    return { gain: context.gain, connect: (to: unknown) => to };
  }
  createMediaElementSource() {
    return { connect: (to: unknown) => to };
  }
  async resume(): Promise<void> {}
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

async function make(): Promise<void> {
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  const { createSong } = await import('../../src/web/visitor/media/song.ts');
  songs = mediaHost().songs as unknown as StandInMedia[];
  song = createSong();
  const probe = page.made.at(-1);
  if (forgetful && probe instanceof StandInMedia) setTimeout(() => Object.assign(probe, { volume: 1 }), 30);
  await pass(60);
}
const sings = (viaggio: 1 | 2 = 1, url = '/song.mp3') => song.start({ url, viaggio });
const only = (place: number): StandInMedia => songs[place] ?? new StandInMedia('none');

test('each trip has a voice of its own, which comes up from silence and takes the media keys', async () => {
  await make();
  sings(2);
  expect(songs.map(({ did }) => did)).toEqual([[], ['load', 'play']]);
  expect([only(1).src, only(1).volume, song.phase()]).toEqual(['/song.mp3', 0, 'playing']);
  await pass(10_000);
  expect(only(1).volume).toBe(1);
  expect(handlers.has('nexttrack')).toBe(true);
  song.stop();
  expect([only(1).paused, song.phase(), handlers.size]).toEqual([true, 'silent', 0]);
});

test('it fades and stops', async () => {
  await make();
  sings();
  await pass(10_000);
  song.fade();
  await pass(500);
  expect(only(0).volume).toBeLessThan(1);
  await pass(10_000);
  expect([only(0).paused, song.phase()]).toEqual([true, 'silent']);
});

describe('over again', () => {
  test('from its beginning the browser does so by itself', async () => {
    await make();
    sings();
    expect(only(0)).toMatchObject({ loop: true });
  });

  test.each([
    [200, 30],
    [31, 30],
    [30.5, 0],
    [Number.NaN, 0],
  ])('from where it starts, if that is in it: of %d s from second %i', async (duration, from) => {
    await make();
    sings(1, '/song.mp3#t=30');
    expect(only(0)).toMatchObject({ loop: false });
    Object.assign(only(0), { duration, currentTime: duration, did: [] });
    only(0).say('ended');
    expect([only(0).currentTime, only(0).did]).toEqual([from, ['play']]);
  });

  test('not what was stopped, nor the other trip’s', async () => {
    await make();
    sings(1, '/song.mp3#t=30');
    only(1).say('ended');
    song.stop();
    songs.forEach((element) => Object.assign(element, { did: [] }));
    only(0).say('ended');
    expect(songs.map(({ did }) => did)).toEqual([[], []]);
  });

  test.each([
    ['a pause takes it back', new DOMException('', 'AbortError'), 0],
    ['the phone refuses it', new DOMException('', 'NotAllowedError'), 1],
  ])('where %s', async (_what, error, again) => {
    await make();
    sings(1, '/song.mp3#t=30');
    only(0).did = [];
    only(0).answer = () => Promise.reject(error);
    only(0).say('ended');
    await pass(0);
    only(0).answer = async () => undefined;
    await pass(1_000);
    expect(only(0).did).toEqual(['play', ...Array.from({ length: again }, () => 'play')]);
  });
});

test('paused by somebody else it plays on once; its own end and another’s pause are nothing', async () => {
  await make();
  sings();
  only(0).did = [];
  only(1).say('pause');
  Object.assign(only(0), { paused: true, ended: true });
  only(0).say('pause');
  Object.assign(only(0), { paused: false, ended: false });
  only(0).say('pause');
  await pass(1_000);
  expect(only(0).did).toEqual([]);
  only(0).paused = true;
  only(0).say('pause');
  await pass(300);
  expect(only(0).did).toEqual(['play']);
});

test('a hidden page is silent; seen again, or brought back from the browser’s memory, it sings', async () => {
  await make();
  sings();
  const become = (state: string) => {
    page.visibilityState = state;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  become('hidden');
  expect([only(0).paused, song.phase()]).toEqual([true, 'waiting']);
  become('visible');
  expect([only(0).paused, song.phase()]).toEqual([false, 'playing']);
  become('hidden');
  page.visibilityState = 'visible';
  view.dispatchEvent(new Event('pageshow'));
  expect(song.phase()).toBe('playing');
  song.destroy();
  become('hidden');
  become('visible');
  expect([only(0).paused, song.phase()]).toEqual([true, 'silent']);
});

test('refused, it begins at the next touch or key anywhere, but none that means something else', async () => {
  await make();
  only(0).answer = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  sings();
  await pass(0);
  expect(song.phase()).toBe('waiting');
  only(0).answer = async () => undefined;
  const key = (name: string) => {
    const event = new KeyboardEvent('keydown');
    page.dispatchEvent(Object.assign(event, { key: name }));
  };
  key('Tab');
  expect(song.phase()).toBe('waiting');
  key('a');
  expect(song.phase()).toBe('playing');
  only(0).did = [];
  page.dispatchEvent(new Event('pointerup'));
  expect(only(0).did).toEqual([]);
});

describe('on a phone that has no loudness for pages', () => {
  beforeEach(() => {
    forgetful = true;
  });

  test('it comes as loud as it is, and fades through Web Audio, prepared in the tap', async () => {
    await make();
    sings();
    await pass(1_000);
    expect(only(0).volume).toBe(1);
    song.prepareFade();
    song.prepareFade();
    expect(context.made).toBe(1);
    song.fade();
    await pass(500);
    expect(context.gain.value).toBeGreaterThanOrEqual(0);
    expect(context.gain.value).toBeLessThan(1);
    await pass(10_000);
    expect(song.phase()).toBe('silent');
    // The same voice is as loud as before, the next time.
    sings();
    await pass(0);
    expect(context.gain.value).toBe(1);
  });

  test.each([
    ['not running within 300 ms', () => Object.assign(context, { state: 'suspended' })],
    ['one too many', () => Object.assign(context, { refuses: true })],
    ['not there', () => vi.stubGlobal('AudioContext', undefined)],
  ])('whose Web Audio is %s it just stops', async (_what, be) => {
    be();
    await make();
    sings();
    song.prepareFade();
    song.fade();
    await pass(300);
    expect([only(0).paused, song.phase()]).toEqual([true, 'silent']);
  });

  test('nothing is prepared for a song that doesn’t play', async () => {
    await make();
    song.prepareFade();
    expect(context.made).toBe(0);
  });
});

test('where there is a loudness nothing goes through Web Audio', async () => {
  await make();
  sings();
  song.prepareFade();
  expect(context.made).toBe(0);
});
