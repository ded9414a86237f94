import { render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { stepTexts, diagnosisTexts as texts } from '../../src/texts/diagnosis.ts';
import { measureConnection } from '../../src/web/diagnosis/measure-line.ts';
import { DiagnosisPage } from '../../src/web/diagnosis/page.tsx';
import { readTabProgress, storeProgress } from '../../src/web/diagnosis/progress.ts';
import { type FilmWatch, watchFilm } from '../../src/web/diagnosis/watch-film.ts';
import type { VideoStage } from '../../src/web/visitor/media/stage.ts';
import { type StandInMedia, standInMedia } from './support/media.ts';
import { lost, never, pass, readPage, refused, replyWith, stubFetch, tap } from './support/page.ts';

/** The diagnosis of a phone: its steps, the result of each answer, and the measurements of film and connection. */

let film: StandInMedia;
beforeEach(() => {
  vi.useFakeTimers();
  ({ film } = standInMedia());
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(console, 'error').mockReturnValue();
});
afterEach(() => {
  history.replaceState(null, '', '/diagnostica');
});

const at = (step: number, findings: object = {}) =>
  storeProgress({ id: 'a'.repeat(32), step, findings, pass: 'pass' });
async function open(enter: Parameters<typeof stubFetch>[0][string] = replyWith({})) {
  const server = stubFetch({ diagnosis: enter, 'diagnosis/enter': enter, 'diagnosis/report': replyWith({}) });
  render(<DiagnosisPage />);
  await pass();
  return server;
}
const YES_NO = [`[${texts.yes}]`, `[${texts.no}]`, `[${texts.unsure}]`];

test.each<[string, Parameters<typeof stubFetch>[0][string], string[]]>([
  ['while it is asked', never, [`# ${texts.name}`, texts.opening]],
  ['to a stranger', refused('SIGN_IN_REQUIRED', {}, 401), [`# ${texts.strangerTitle}`, texts.stranger]],
  ['without a network', lost, [`# ${texts.failedTitle}`, expect.any(String), `[${texts.retry}]`]],
])('shows the state %s', async (_when, enter, shown) => {
  await open(enter);
  expect(readPage()).toEqual(shown);
});

test('reports an expired pass, and removes it from the address', async () => {
  history.replaceState(null, '', '/diagnostica#old');
  const { of } = await open(refused('REHEARSAL_OVER', {}, 401));
  expect(readPage()).toEqual([`# ${texts.overTitle}`, texts.over]);
  expect(of('diagnosis/enter')).toEqual([{ pass: 'old' }]);
  expect(location.hash).toBe('');
});

test('starts at a tap, with a reload that shows what the browser stores', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue();
  await open();
  expect(readPage().slice(0, 3)).toEqual([`# ${texts.introTitle}`, texts.intro, `[${texts.begin}]`]);
  await tap(texts.begin);
  expect([reload.mock.calls.length, readTabProgress()?.step]).toEqual([1, 0]);
});

const step = (name: keyof typeof stepTexts) => Object.keys(stepTexts).indexOf(name);

test.each<[keyof typeof stepTexts, string[], string[], object]>([
  ['sound', [...YES_NO, `[${texts.skip}]`], [texts.no, texts.stillNo], { heard: 'no' }],
  ['buttons', [...YES_NO, `[${texts.skip}]`], [texts.yes], { buttons: 'yes' }],
  ['fade', [`[${texts.lowerSong}]`, `[${texts.skip}]`], [texts.lowerSong, texts.no], { faded: 'no' }],
  ['film', [`[${texts.next}]`, `[${texts.skip}]`], [texts.skip], {}],
])('asks %s and records the answer: %j', async (name, ways, taps, result) => {
  at(step(name), { cookies: false });
  const { of } = await open();
  expect(readPage()).toContain(`# ${stepTexts[name].title}`);
  expect(readPage().filter((part) => part.startsWith('['))).toEqual(ways);
  for (const each of taps) await tap(each);
  const { findings, step: next } = readTabProgress() ?? expect.unreachable();
  expect(findings).toEqual({ cookies: false, ...result });
  expect(next).toBeGreaterThan(step(name));
  expect(of('diagnosis/report').at(-1)).toMatchObject({
    findings: { cookies: false, ...result },
    pass: 'pass',
  });
});

test('plays the film as in the evening, and records the result', async () => {
  at(step('film'), { cookies: false });
  await open();
  await tap(texts.next);
  Object.assign(film, { readyState: 4, duration: 5, ranges: [[0, 5]] });
  film.dispatch('loadedmetadata', 'progress', 'canplay');
  await pass(500);
  await tap(texts.startFilm);
  for (let second = 1; second < 5; second += 1) {
    film.currentTime = second;
    film.dispatch('timeupdate');
    await pass(1_000);
  }
  Object.assign(film, { currentTime: 5, ended: true, paused: true });
  film.dispatch('ended');
  await pass(1_000);
  expect(readTabProgress()?.findings).toMatchObject({ film: 'played' });
});

test('shows and copies the result at the end, and starts again', async () => {
  at(Object.keys(stepTexts).length, { cookies: true, heard: 'no' });
  await open();
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await tap(texts.copy);
  expect(copied.mock.lastCall?.[0]).toBe(document.querySelector('textarea')?.value);
  expect(document.querySelectorAll('li').length).toBeGreaterThan(0);
  await tap(texts.again);
  expect(readTabProgress()?.step).toBe(0);
});

describe('film measurement', () => {
  let state: { phase: string; fullScreen: string };
  let notify: () => void;
  let watch: FilmWatch;
  let lock: EventTarget & { release: () => Promise<void> };
  let released: number;
  let grant: () => Promise<unknown>;
  beforeEach(() => {
    released = 0;
    lock = Object.assign(new EventTarget(), { release: async () => void (released += 1) });
    grant = async () => lock;
    vi.stubGlobal('navigator', { userAgent: '', wakeLock: { request: () => grant() } });
    state = { phase: 'idle', fullScreen: 'css' };
    const subscribe = (run: () => void) => ((notify = run), () => {});
    watch = watchFilm({ state: () => state, subscribe } as unknown as VideoStage);
  });
  afterEach(() => watch.stop());
  const become = (phase: string, fullScreen = state.fullScreen) => {
    state = { phase, fullScreen };
    notify();
  };
  const awake = () => watch.findings('played').awake;

  test('measures the time from the tap to the first frame, once', async () => {
    become('playing');
    expect(watch.findings('played').first_frame_ms).toBeUndefined();
    become('idle');
    watch.tapped();
    become('starting');
    await pass(740);
    become('playing');
    become('stalled');
    await pass(500);
    watch.tapped();
    become('playing');
    expect(watch.findings('played').first_frame_ms).toBe(740);
  });

  test.each([
    [['starting', 'playing', 'ended'], 'played'],
    [['starting', 'playing', 'stalled', 'playing'], 'stopped'],
    [['starting', 'stalled', 'playing'], 'played'],
  ])('records whether playback stalled: %j is %s', (phases, how) => {
    watch.tapped();
    for (const phase of phases) become(phase);
    expect([watch.findings('played').film, watch.findings('failed').film]).toEqual([how, 'failed']);
  });

  test('records the full screen mode, the phone’s own before the element’s', () => {
    expect(watch.findings('played').full_screen).toBe('css');
    become('starting', 'element');
    become('playing', 'css');
    expect(watch.findings('played').full_screen).toBe('element');
    film.dispatch('webkitbeginfullscreen');
    become('stalled', 'element');
    expect(watch.findings('played').full_screen).toBe('phone');
  });

  const CHROME = 'Mozilla/5.0 (Linux) Chrome/141.0 Mobile';
  test.each<[object, string, boolean | undefined]>([
    [{ webkitAudioDecodedByteCount: 1 }, 'Safari', true],
    [{ webkitAudioDecodedByteCount: 0 }, CHROME, false],
    [{ webkitAudioDecodedByteCount: 0 }, 'Safari', undefined],
    [{ webkitAudioDecodedByteCount: undefined, mozHasAudio: true }, 'Firefox', true],
  ])('records whether the sound was decoded: %j in %s is %s', (facts, userAgent, decoded) => {
    Object.assign(film, facts);
    Object.assign(navigator, { userAgent });
    expect(watch.findings('played').audio_decoded).toEqual(decoded);
    expect(watch.findings('failed').audio_decoded).toBeUndefined();
  });

  test.each<[string, boolean, () => void]>([
    ['refused', false, () => {}],
    ['held', true, () => {}],
    ['refused', false, () => (grant = () => Promise.reject(new DOMException('', 'NotAllowedError')))],
    ['missing', false, () => vi.stubGlobal('navigator', { userAgent: '' })],
  ])('records that the wake lock was %s', async (expected, hidden, be) => {
    be();
    watch.tapped();
    await pass();
    vi.spyOn(document, 'hidden', 'get').mockReturnValue(hidden);
    lock.dispatchEvent(new Event('release'));
    expect(awake()).toBe(expected);
  });
});

describe('connection measurement', () => {
  /** Stubs `fetch`: HEAD replies take `delays` in ms, a GET brings `bytes` in `ms`. Returns a function that counts the GETs. */
  function line(delays: number[], { bytes, ms }: { bytes: number; ms: number }) {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now);
    const fetchMock = vi.fn<typeof fetch>(async (_url, init) => {
      now += init?.method === 'HEAD' ? (delays.shift() ?? 0) : ms;
      return new Response(init?.method === 'HEAD' ? null : new Uint8Array(bytes));
    });
    vi.stubGlobal('fetch', fetchMock);
    return () => fetchMock.mock.calls.filter(([, init]) => init?.method === 'GET').length;
  }

  test('measures the speed and the median delay after the first, with fewer downloads on a fast connection', async () => {
    const slow = line([1, 40, 60, 20, 80], { bytes: 1_500_000, ms: 1_000 });
    expect([await measureConnection(), slow()]).toEqual([{ mbit: 12, delay_ms: 60 }, 4]);
    const fast = line([1, 1, 1, 1, 1], { bytes: 3_000_000, ms: 100 });
    expect([await measureConnection(), fast()]).toEqual([expect.objectContaining({ mbit: 240 }), 2]);
  });

  test('measures 0 Mbit/s if another server answers', async () => {
    vi.stubGlobal('fetch', async () => new Response('Wi-Fi', { status: 511 }));
    expect(await measureConnection()).toEqual({ mbit: 0 });
  });
});
