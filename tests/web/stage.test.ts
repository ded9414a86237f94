import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { VideoStage, VideoStageEvent } from '../../src/web/visitor/media/stage.ts';
import {
  type StandIn,
  type StandInMedia,
  type StandInPage,
  standInPage,
  standInWindow,
} from '../support/stand-in-page.ts';

/** The stage of the locked film as a whole, on a stand-in for the browser: its taps, what it tells, and what it leaves behind. */

let page: StandInPage;
let view: EventTarget;
let wrapper: StandIn & { requestFullscreen?: () => Promise<void> };
let film: StandInMedia;
let songs: StandInMedia[];
let told: VideoStageEvent[];
let did: string[];
let handlers: Map<string, unknown>;
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
  vi.resetModules();
  page = standInPage();
  view = standInWindow();
  [told, did, handlers] = [[], [], new Map()];
  vi.stubGlobal('screen', {});
  vi.stubGlobal('MediaMetadata', function Metadata() {});
  vi.stubGlobal('navigator', {
    onLine: true,
    mediaSession: {
      setActionHandler: (action: string, run: unknown) => {
        if (run === null) handlers.delete(action);
        else handlers.set(action, run);
      },
    },
    wakeLock: { request: async () => void did.push('awake') },
  });
  vi.doMock('../../src/web/visitor/media/surround.ts', () => ({
    surroundFilm: () => ({
      show: () => did.push('glow of the poster'),
      leaveAfterImage: () => {
        did.push('leave a picture');
        return () => did.push('dissolve');
      },
      remove: () => did.push('no glow'),
    }),
  }));
});
afterEach(() => {
  stage.destroy();
  vi.doUnmock('../../src/web/visitor/media/surround.ts');
  // Nobody after this file gets a module that was made around what stood in.
  vi.resetModules();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The stage over a film of 100 s, of which so much is there. */
async function open({ there = 0, startAt = 0, content = CONTENT, known = false } = {}) {
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  const { createVideoStage } = await import('../../src/web/visitor/media/stage.ts');
  const host = mediaHost();
  wrapper = host.wrapper as unknown as StandIn;
  film = host.video as unknown as StandInMedia;
  songs = host.songs as unknown as StandInMedia[];
  wrapper.requestFullscreen = async () => void did.push('full screen');
  if (known) Object.assign(film, { readyState: 1, duration: 100 });
  stage = createVideoStage({ content, startAt, onEvent: (event) => told.push(event) });
  await pass(0);
  if (there > 0) arrive(there);
}

function arrive(seconds: number): void {
  Object.assign(film, { readyState: 4, duration: 100, ranges: [[0, seconds]] });
  film.say('loadedmetadata', 'progress', 'canplay');
}

/** The film goes on to a second of it. */
async function playTo(second: number): Promise<void> {
  await pass(500);
  film.currentTime = second;
  film.say('timeupdate');
}

/** A film that begins shortly before its end comes to it. */
async function toTheEnd(): Promise<void> {
  await started({ there: 100, startAt: 99 });
  film.say('seeked');
  await playTo(99.8);
  did = [];
  Object.assign(film, { currentTime: 100, ended: true, paused: true });
  film.say('ended');
}

async function started(options: Parameters<typeof open>[0] = { there: 60 }): Promise<void> {
  await open(options);
  stage.start();
  await pass(0);
}

test('the film is loaded, and can be started once enough of it is there', async () => {
  await open();
  expect([film.src, film.did]).toEqual(['/film.mp4', ['load']]);
  expect(stage.state()).toMatchObject({ phase: 'idle', canStart: false, prebuffer: 'preparing', filled: 0 });
  stage.start();
  expect(film.did).not.toContain('play');
  const looked = vi.fn();
  const unsubscribe = stage.subscribe(looked);
  arrive(5);
  expect(stage.state()).toMatchObject({ prebuffer: 'filling', filled: 0.5, buffered: 0.05, canStart: true });
  arrive(60);
  expect(stage.state()).toMatchObject({ prebuffer: 'ready', filled: 1, buffered: 0.6 });
  expect(looked).toHaveBeenCalled();
  looked.mockClear();
  film.say('progress');
  // Nothing has changed.
  expect(looked).not.toHaveBeenCalled();
  unsubscribe();
});

test('what was loaded before the stage is known at once: speed and place are set', async () => {
  await open({ known: true, startAt: 42 });
  expect([film.currentTime, film.playbackRate]).toEqual([42, 1.25]);
});

test('its speed is set anew whenever it is played, for a new load as well, and voices stay what they are', async () => {
  await started();
  Object.assign(film, { playbackRate: 1, defaultPlaybackRate: 1, preservesPitch: false });
  film.pause();
  film.say('pause');
  await pass(150);
  expect(film).toMatchObject({ playbackRate: 1.25, defaultPlaybackRate: 1.25, preservesPitch: true });
});

test('the start tap stops the songs, plays aloud, asks for full screen and unlocks the songs: inside the tap', async () => {
  await open({ there: 60 });
  film.did = [];
  const before = songs.map(({ did: asked }) => asked.length);
  stage.start();
  expect([film.did, film.muted, did]).toEqual([['play'], false, ['full screen', 'awake']]);
  expect(songs.map(({ did: asked }, index) => asked.slice(before[index]))).toEqual([
    ['pause', 'load'],
    ['pause', 'load'],
  ]);
  expect(handlers.size).toBe(0);
  await pass(0);
  // What is seen of it, and the media keys, come in a task of their own.
  expect(stage.state().phase).toBe('starting');
  expect(handlers.has('pause')).toBe(true);
  stage.start();
  expect(film.did).toEqual(['play']);
});

test('each full second is told once; that the network is free, too, before the end', async () => {
  await started();
  await playTo(1.2);
  expect(stage.state()).toMatchObject({ phase: 'playing', second: 1, canStart: false });
  await playTo(1.9);
  await playTo(2.1);
  expect(told).toEqual([
    { type: 'second', second: 1 },
    { type: 'second', second: 2 },
  ]);
  arrive(100);
  await playTo(3);
  await playTo(4);
  expect(told.filter(({ type }) => type === 'nearlyDone')).toHaveLength(1);
});

test('the poster goes when the film is there', async () => {
  await open({ there: 60 });
  const poster = wrapper.children.find(({ tag }) => tag === 'img');
  poster?.dispatchEvent(new Event('load'));
  expect(did).toContain('glow of the poster');
  stage.start();
  await pass(0);
  expect(wrapper.children).toContain(poster);
  await playTo(1);
  expect(wrapper.children).not.toContain(poster);
});

test('at its end it leaves its last picture, all that was put up goes, and it is told once', async () => {
  await toTheEnd();
  await pass(500);
  expect(did).toEqual(['leave a picture', 'no glow', 'dissolve']);
  expect([stage.state().phase, handlers.size, page.documentElement.style['overflow']]).toEqual([
    'ended',
    0,
    undefined,
  ]);
  film.say('ended');
  await pass(1_000);
  expect(told.filter(({ type }) => type === 'ended')).toHaveLength(1);
});

test('a film that is taken off tells nothing any more, and nothing of it is loaded', async () => {
  await started();
  await playTo(1);
  told = [];
  film.did = [];
  stage.destroy();
  expect([film.did, film.hasAttribute('src'), handlers.size]).toEqual([['pause', 'load'], false, 0]);
  film.currentTime = 5;
  film.say('timeupdate', 'ended', 'progress');
  await pass(60_000);
  stage.destroy();
  expect([told, film.did, film.attributes['src']]).toEqual([[], ['pause', 'load'], undefined]);
});

test('taken off in the very moment of its end, it says no «ended»', async () => {
  await toTheEnd();
  expect(stage.state().phase).toBe('ended');
  stage.destroy();
  await pass(5_000);
  expect(told.filter(({ type }) => type === 'ended')).toEqual([]);
});

test('taken off in the task of its tap, it takes no media keys', async () => {
  await open({ there: 60 });
  stage.start();
  stage.destroy();
  await pass(0);
  expect(handlers.size).toBe(0);
});

test('a pause is undone after 150 ms; what the media keys ask for is not done, but playing on is', async () => {
  await started();
  await playTo(1);
  film.did = [];
  film.pause();
  film.say('pause');
  await pass(149);
  expect(film.did).toEqual(['pause']);
  await pass(1);
  expect(film.did).toEqual(['pause', 'play']);
  expect(stage.state().phase).toBe('playing');
  (handlers.get('pause') as () => void)();
  expect(film.paused).toBe(false);
});

describe('in trouble', () => {
  test('the last picture is held while the film is loaded again, and goes when it plays', async () => {
    await started();
    await playTo(1);
    const count = () => wrapper.children.filter(({ tag }) => tag === 'canvas').length;
    film.say('error');
    expect(stage.state().phase).toBe('stalled');
    await pass(1_000);
    expect([film.did.at(-1), count()]).toEqual(['load', 1]);
    // Loaded once more, while nothing is there: the picture that is held stays.
    film.readyState = 0;
    film.say('error');
    await pass(2_000);
    expect(count()).toBe(1);
    Object.assign(film, { readyState: 4, paused: false });
    film.say('loadedmetadata');
    await playTo(2);
    await playTo(3);
    expect([stage.state().phase, count()]).toEqual(['playing', 0]);
  });

  test('a refused film is played by the next tap, which asks for full screen once more', async () => {
    await open({ there: 60 });
    film.answer = async () => {
      film.paused = true;
      throw new DOMException('no', 'NotAllowedError');
    };
    stage.start();
    await pass(0);
    expect(stage.state().phase).toBe('blocked');
    [did, film.did] = [[], []];
    film.answer = async () => undefined;
    stage.resume();
    expect([film.did, did]).toEqual([['play'], ['full screen', 'awake']]);
    await playTo(1);
    expect(stage.state().phase).toBe('playing');
  });

  test('a film that never moves is given up after a minute, then «Riprova» tries once more', async () => {
    await started();
    Object.assign(film, { readyState: 0, ranges: [], networkState: 2 });
    for (let second = 0; second < 100 && stage.state().phase !== 'failed'; second += 1) {
      film.say('error');
      await pass(1_000);
    }
    expect([stage.state().phase, told]).toEqual(['failed', [{ type: 'cannotStart' }]]);
    [did, film.did] = [[], []];
    stage.retry();
    expect([film.did, did]).toEqual([
      ['load', 'play'],
      ['full screen', 'awake'],
    ]);
    for (let second = 0; second < 40 && stage.state().phase !== 'failed'; second += 1) {
      film.say('error');
      await pass(1_000);
    }
    expect(told).toEqual([{ type: 'cannotStart' }, { type: 'gaveUp' }]);
  });

  test('a film that stands still twice goes on as the light one, from where it was', async () => {
    await started({ there: 60, content: { ...CONTENT, light_url: '/light.mp4' } });
    expect(film.src).toBe('/film.mp4');
    await playTo(1);
    await pass(2_000);
    expect(stage.state().phase).toBe('stalled');
    await playTo(2);
    await pass(2_500);
    expect(film.src).toBe('/light.mp4');
    film.currentTime = 0;
    film.say('loadedmetadata');
    expect(film.currentTime).toBe(2);
  });
});

test('hidden, the film waits and keeps no time; seen again, it plays', async () => {
  await started();
  await playTo(1);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect([stage.state().phase, film.paused]).toEqual(['osPaused', true]);
  await pass(60_000);
  page.visibilityState = 'visible';
  view.dispatchEvent(new Event('pageshow'));
  expect(film.paused).toBe(false);
});
