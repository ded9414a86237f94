import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FilmWatch } from '../../src/web/diagnosis/watch-film.ts';
import type { VideoStage } from '../../src/web/visitor/media/stage.ts';
import { type StandInPage, standInPage } from '../support/stand-in-page.ts';

/** What the trial on her phone notes of a film: when it came, whether it stopped, full screen, sound, and whether the screen stays on. */

let page: StandInPage;
let film: EventTarget;
let state: { phase: string; fullScreen: string };
let tell: () => void;
let watch: FilmWatch;
let lock: EventTarget & { release: () => Promise<void> };
let released: number;
let grant: () => Promise<unknown>;
let unsubscribed: number;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  page = standInPage();
  [released, unsubscribed] = [0, 0];
  lock = Object.assign(new EventTarget(), { release: async () => void (released += 1) });
  grant = async () => lock;
  vi.stubGlobal('navigator', { userAgent: '', wakeLock: { request: () => grant() } });
  state = { phase: 'idle', fullScreen: 'css' };
  const stage = {
    state: () => state,
    subscribe: (run: () => void) => {
      tell = run;
      return () => {
        unsubscribed += 1;
      };
    },
  };
  const { mediaHost } = await import('../../src/web/visitor/media-host.ts');
  const { watchFilm } = await import('../../src/web/diagnosis/watch-film.ts');
  film = mediaHost().video;
  watch = watchFilm(stage as unknown as VideoStage);
});
afterEach(() => {
  watch.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const become = (phase: string, fullScreen = state.fullScreen) => {
  state = { phase, fullScreen };
  tell();
};
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('how long the first picture took, from the tap; the first time only', async () => {
  become('playing');
  expect(watch.found('played').first_frame_ms).toBeUndefined();
  become('idle');
  watch.tapped();
  become('starting');
  await pass(740);
  become('playing');
  become('stalled');
  await pass(500);
  watch.tapped();
  become('playing');
  expect(watch.found('played').first_frame_ms).toBe(740);
});

test.each<[string, string[], string]>([
  ['that never stood still', ['starting', 'playing', 'ended'], 'played'],
  ['that stood still while it played', ['starting', 'playing', 'stalled', 'playing'], 'stopped'],
  ['that only began slowly', ['starting', 'stalled', 'playing'], 'played'],
])('a film %s', (_which, phases, film) => {
  watch.tapped();
  for (const phase of phases) become(phase);
  expect(watch.found('played').film).toBe(film);
  expect(watch.found('failed').film).toBe('failed');
});

test('what kind of full screen there was: the phone’s own is the last word', () => {
  expect(watch.found('played').full_screen).toBe('css');
  become('starting', 'element');
  become('playing', 'css');
  expect(watch.found('played').full_screen).toBe('element');
  film.dispatchEvent(new Event('webkitbeginfullscreen'));
  become('stalled', 'element');
  expect(watch.found('played').full_screen).toBe('phone');
});

test('stopped, it looks no more', () => {
  watch.stop();
  film.dispatchEvent(new Event('webkitbeginfullscreen'));
  expect([unsubscribed, watch.found('played').full_screen]).toEqual([1, 'css']);
});

const CHROME = 'Mozilla/5.0 (Linux) Chrome/141.0 Mobile';
test.each<[string, object, string, boolean | undefined]>([
  ['decoded', { webkitAudioDecodedByteCount: 1 }, 'Safari', true],
  ['not decoded', { webkitAudioDecodedByteCount: 0 }, CHROME, false],
  ['not known: nobody else’s zero is believed', { webkitAudioDecodedByteCount: 0 }, 'Safari', undefined],
  ['there, as Firefox says', { mozHasAudio: true }, 'Firefox', true],
  ['not told', {}, CHROME, undefined],
])('the sound was %s', (_what, facts, userAgent, decoded) => {
  Object.assign(film, facts);
  Object.assign(navigator, { userAgent });
  expect(watch.found('played').audio_decoded).toBe(decoded);
  expect(watch.found('failed').audio_decoded).toBeUndefined();
});

describe('the screen', () => {
  const awake = () => watch.found('played').awake;

  test('stays on, and may sleep when the trial is over', async () => {
    watch.tapped();
    await pass(0);
    expect(awake()).toBe('held');
    watch.stop();
    lock.dispatchEvent(new Event('release'));
    expect([awake(), released]).toEqual(['held', 1]);
  });

  test.each([
    [false, 'refused'],
    [true, 'held'],
  ])('that is taken back while the page is hidden: %s, is %s', async (hidden, said) => {
    watch.tapped();
    await pass(0);
    page.hidden = hidden;
    lock.dispatchEvent(new Event('release'));
    expect(awake()).toBe(said);
  });

  test.each<[string, () => void]>([
    ['missing', () => vi.stubGlobal('navigator', { userAgent: '' })],
    ['refused', () => (grant = () => Promise.reject(new DOMException('', 'NotAllowedError')))],
  ])('is %s', async (said, be) => {
    be();
    watch.tapped();
    await pass(0);
    expect(awake()).toBe(said);
  });

  test('that is granted after the end is given back at once', async () => {
    let give = (_lock: unknown) => {};
    grant = () =>
      new Promise((resolve) => {
        give = resolve;
      });
    watch.tapped();
    watch.stop();
    give(lock);
    await pass(0);
    expect(released).toBe(1);
  });
});
