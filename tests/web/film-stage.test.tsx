import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createVideoStage,
  type VideoStage,
  type VideoStageEvent,
} from '../../src/web/visitor/media/stage.ts';
import '../../src/web/visitor/media/surround.ts';
import { type StandInMedia, standInMedia } from './support/media.ts';
import { pass } from './support/page.ts';

/** The stage of the locked film as a whole: taps, events and cleanup. */

let film: StandInMedia;
let songs: readonly [StandInMedia, StandInMedia];
let wrapper: HTMLElement;
let reported: VideoStageEvent[];
let calls: string[];
let handlers: Map<string, () => void>;
let stage: VideoStage;

const CONTENT = {
  video_url: '/film.mp4',
  light_url: null as string | null,
  video_bitrate: null,
  video_playback_rate: 1.25,
  poster_url: '/poster.jpg',
};

beforeEach(() => {
  vi.useFakeTimers();
  ({ film, songs, wrapper } = standInMedia());
  [reported, calls, handlers] = [[], [], new Map()];
  vi.stubGlobal('MediaMetadata', function Metadata() {});
  const setActionHandler = (action: string, run: (() => void) | null) =>
    run === null ? handlers.delete(action) : handlers.set(action, run);
  vi.stubGlobal('navigator', {
    onLine: true,
    userAgent: '',
    mediaSession: { setActionHandler },
    wakeLock: { request: async () => void calls.push('awake') },
  });
  wrapper.requestFullscreen = async () => void calls.push('full screen');
});
afterEach(() => {
  stage.destroy();
});

/** Opens the stage over a film of 100 s, of which `there` seconds are buffered. */
async function open({ there = 0, startAt = 0, content = CONTENT } = {}) {
  stage = createVideoStage({ content, startAt, onEvent: (event) => reported.push(event) });
  await pass();
  if (there > 0) arrive(there);
}
function arrive(seconds: number): void {
  Object.assign(film, {
    readyState: 4,
    duration: 100,
    videoWidth: 640,
    videoHeight: 360,
    ranges: [[0, seconds]],
  });
  film.dispatch('loadedmetadata', 'progress', 'canplay');
}
async function started(options: Parameters<typeof open>[0] = { there: 60 }): Promise<void> {
  await open(options);
  stage.start();
  await pass();
}
async function playTo(second: number): Promise<void> {
  await pass(500);
  film.currentTime = second;
  film.dispatch('timeupdate');
}
async function toTheEnd(): Promise<void> {
  await started({ there: 100, startAt: 99 });
  film.dispatch('seeked');
  await playTo(99.8);
  Object.assign(film, { currentTime: 100, ended: true, paused: true });
  film.dispatch('ended');
}
const held = () => wrapper.querySelectorAll('canvas.poster, canvas[class*="poster"]').length;
const afterImage = () => document.querySelector('body > [class*="afterImage"]');

test('loads the film, and can start once enough is buffered', async () => {
  await open();
  expect([film.getAttribute('src'), film.did]).toEqual(['/film.mp4', ['load']]);
  expect(stage.state()).toMatchObject({ phase: 'idle', canStart: false, prebuffer: 'preparing', filled: 0 });
  stage.start();
  expect(film.did).not.toContain('play');
  const looked = vi.fn();
  const unsubscribe = stage.subscribe(looked);
  arrive(5);
  expect(stage.state()).toMatchObject({ prebuffer: 'filling', filled: 0.5, buffered: 0.05, canStart: true });
  arrive(60);
  expect(stage.state()).toMatchObject({ prebuffer: 'ready', filled: 1, buffered: 0.6 });
  looked.mockClear();
  film.dispatch('progress');
  // The state has not changed.
  expect(looked).not.toHaveBeenCalled();
  unsubscribe();
});

test('sets speed and position of a film that is already loaded, and the speed at each play', async () => {
  Object.assign(film, { readyState: 1, duration: 100 });
  await open({ startAt: 42 });
  expect([film.currentTime, film.playbackRate]).toEqual([42, 1.25]);
  arrive(100);
  stage.start();
  await pass();
  Object.assign(film, { playbackRate: 1, defaultPlaybackRate: 1, preservesPitch: false });
  film.pause();
  film.dispatch('pause');
  await pass(150);
  expect(film).toMatchObject({ playbackRate: 1.25, defaultPlaybackRate: 1.25, preservesPitch: true });
});

test('makes all calls that need a tap within the start tap, once', async () => {
  await open({ there: 60 });
  film.did = [];
  for (const song of songs) song.did = [];
  stage.start();
  expect([film.did, film.muted, calls, handlers.size]).toEqual([
    ['play'],
    false,
    ['full screen', 'awake'],
    0,
  ]);
  expect(songs.map((song) => song.did[0])).toEqual(['pause', 'pause']);
  await pass();
  // Its rendering and the media keys follow in a separate task.
  expect([stage.state().phase, handlers.has('pause')]).toEqual(['starting', true]);
  handlers.get('pause')?.();
  expect(film.paused).toBe(false);
  stage.start();
  expect(film.did).toEqual(['play']);
});

test('reports each full second once, and that the network is free before the end', async () => {
  await started();
  const poster = wrapper.querySelector('img');
  expect(poster?.getAttribute('src')).toBe('/poster.jpg');
  await playTo(1.2);
  expect(stage.state()).toMatchObject({ phase: 'playing', second: 1, canStart: false });
  expect(poster?.dataset['fading']).toBe('true');
  await playTo(1.9);
  await playTo(2.1);
  expect(reported).toEqual([
    { type: 'second', second: 1 },
    { type: 'second', second: 2 },
  ]);
  arrive(100);
  await playTo(3);
  await playTo(4);
  expect(reported.filter(({ type }) => type === 'nearlyDone')).toHaveLength(1);
});

test('leaves its last picture at the end, cleans up and reports the end once', async () => {
  await toTheEnd();
  expect(afterImage()).not.toBeNull();
  await pass(500);
  expect((afterImage() as HTMLElement).dataset['fading']).toBe('true');
  expect(stage.state().phase).toBe('ended');
  expect(handlers.size).toBe(0);
  expect(document.documentElement.style.overflow).toBe('');
  film.dispatch('ended');
  await pass(1_000);
  expect(reported.filter(({ type }) => type === 'ended')).toHaveLength(1);
});

test('reports nothing after it is destroyed, and unloads the film', async () => {
  await started();
  await playTo(1);
  [reported, film.did] = [[], []];
  stage.destroy();
  expect([film.did, film.hasAttribute('src'), handlers.size]).toEqual([['pause', 'load'], false, 0]);
  film.currentTime = 5;
  film.dispatch('timeupdate', 'ended', 'progress');
  await pass(60_000);
  stage.destroy();
  expect([reported, film.did]).toEqual([[], ['pause', 'load']]);
});

test('pauses while hidden, and plays when visible again', async () => {
  await started();
  await playTo(1);
  const seen = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
  document.dispatchEvent(new Event('visibilitychange'));
  expect([stage.state().phase, film.paused]).toEqual(['osPaused', true]);
  await pass(60_000);
  seen.mockReturnValue('visible');
  window.dispatchEvent(new Event('pageshow'));
  expect(film.paused).toBe(false);
});

describe('recovery', () => {
  test('shows the last picture while the film reloads', async () => {
    await started();
    await playTo(1);
    film.dispatch('error');
    expect(stage.state().phase).toBe('stalled');
    await pass(1_000);
    expect([film.did.at(-1), held()]).toEqual(['load', 1]);
    Object.assign(film, { readyState: 4, paused: false });
    film.dispatch('loadedmetadata');
    await playTo(2);
    await playTo(3);
    expect([stage.state().phase, held()]).toEqual(['playing', 0]);
  });

  test('plays a refused film at the next tap, with another request for full screen', async () => {
    await open({ there: 60 });
    film.answer = async () => {
      film.paused = true;
      throw new DOMException('no', 'NotAllowedError');
    };
    stage.start();
    await pass();
    expect(stage.state().phase).toBe('blocked');
    [calls, film.did] = [[], []];
    film.answer = async () => undefined;
    stage.resume();
    expect([film.did, calls]).toEqual([['play'], ['full screen', 'awake']]);
    await playTo(1);
    expect(stage.state().phase).toBe('playing');
  });

  test('fails after a minute without a start, and gives up after one retry', async () => {
    const failing = async (seconds: number) => {
      for (let second = 0; second < seconds && stage.state().phase !== 'failed'; second += 1) {
        film.dispatch('error');
        await pass(1_000);
      }
    };
    await started();
    Object.assign(film, { readyState: 0, ranges: [], networkState: 2 });
    await failing(100);
    expect([stage.state().phase, reported]).toEqual(['failed', [{ type: 'cannotStart' }]]);
    [calls, film.did] = [[], []];
    stage.retry();
    expect(film.did).toEqual(['load', 'play']);
    expect(calls).toEqual(['full screen', 'awake']);
    await failing(40);
    expect(reported).toEqual([{ type: 'cannotStart' }, { type: 'gaveUp' }]);
  });

  test('continues with the light film at the same position after two stalls', async () => {
    await started({ there: 60, content: { ...CONTENT, light_url: '/light.mp4' } });
    await playTo(1);
    await pass(2_000);
    expect([stage.state().phase, film.getAttribute('src')]).toEqual(['stalled', '/film.mp4']);
    await playTo(2);
    await pass(2_500);
    expect(film.getAttribute('src')).toBe('/light.mp4');
    film.currentTime = 0;
    film.dispatch('loadedmetadata');
    expect(film.currentTime).toBe(2);
  });
});
