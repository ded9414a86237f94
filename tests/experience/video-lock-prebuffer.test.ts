import { expect, test } from 'vitest';
import {
  needsNoMore,
  newPrebuffer,
  type Prebuffer,
  watchPrebuffer,
} from '../../src/experience/video-lock/prebuffer.ts';

/** Tests of the start button's delay and of `needsNoMore`, by the amount of film that has arrived. */

type Sample = Parameters<typeof watchPrebuffer>[1];
const SAMPLE: Sample = {
  now: 500,
  bufferedTo: 0,
  position: 0,
  duration: 60,
  rate: 1,
  playable: true,
  loadingStopped: false,
};
const look = (prebuffer: Prebuffer, sample: Partial<Sample>) =>
  watchPrebuffer(prebuffer, { ...SAMPLE, ...sample });

type Line = {
  /** Seconds of film that arrive per second. */
  speed: number;
  playableAfter?: number;
  duration?: number;
  rate?: number;
  restsAt?: number;
};

/** Samples a connection every half second for `seconds`; returns its stages with their start seconds. */
function watch(line: Line, seconds: number): [string, Prebuffer] {
  const { duration = 60, rate = 1, playableAfter = 0, restsAt = Number.POSITIVE_INFINITY } = line;
  let prebuffer = newPrebuffer(0, true);
  const stages = [`0 ${prebuffer.stage}`];
  for (let now = 500; now <= seconds * 1_000; now += 500) {
    const before = prebuffer.stage;
    const bufferedTo = Math.min(duration, restsAt, (line.speed * now) / 1_000);
    const playable = now >= playableAfter * 1_000;
    prebuffer = look(prebuffer, {
      now,
      duration,
      rate,
      bufferedTo,
      playable,
      loadingStopped: bufferedTo === restsAt,
    });
    if (before !== prebuffer.stage) stages.push(`${now / 1_000} ${prebuffer.stage}`);
  }
  return [stages.join(', '), prebuffer];
}

test.each<[line: string, Line, seconds: number, stages: string]>([
  ['at once where the film could run', { speed: 20, playableAfter: 2 }, 4, '0 preparing, 2 ready'],
  // Like phones that load nothing before a tap.
  ['after 6 s where nothing arrives at all', { speed: 0, playableAfter: 99 }, 10, '0 preparing, 6 ready'],
  [
    'on a line faster than the film as soon as that is known',
    { speed: 1.5, playableAfter: 1 },
    4,
    '0 preparing, 1 filling, 1.5 ready',
  ],
  [
    'on a slow line once 10 s are there',
    { speed: 0.8, playableAfter: 2 },
    15,
    '0 preparing, 2 filling, 12.5 ready',
  ],
  [
    'on a very slow line after 20 s',
    { speed: 0.1, playableAfter: 2 },
    25,
    '0 preparing, 2 filling, 20 ready',
  ],
  [
    'by the speed at which the film will play',
    { speed: 1.5, playableAfter: 1, rate: 2 },
    3,
    '0 preparing, 1 filling',
  ],
  ['for no more than the film has', { speed: 0.8, duration: 3 }, 5, '0 preparing, 0.5 filling, 4 ready'],
  [
    'where the browser has loaded all it wants',
    { speed: 0.9, restsAt: 2.7 },
    3,
    '0 preparing, 0.5 filling, 3 ready',
  ],
])('frees the start button %s', (_when, line, seconds, stages) => {
  expect(watch(line, seconds)[0]).toBe(stages);
});

test('reports the buffered share, near the end relative to the rest, and is ready if nothing loads before the tap', () => {
  expect(watch({ speed: 0.1, playableAfter: 2 }, 25)[1].filled).toBeCloseTo(0.2, 1);
  const at = (bufferedTo: number) => look(newPrebuffer(0, true), { position: 56, bufferedTo });
  expect(at(58)).toMatchObject({ stage: 'filling', filled: expect.closeTo(2 / 3.9) });
  expect(at(60)).toMatchObject({ stage: 'ready', filled: 1 });
  expect(newPrebuffer(0, false)).toMatchObject({ stage: 'ready', filled: 1 });
  expect(look({ ...newPrebuffer(0, true), stage: 'ready' }, { now: 100 }).stage).toBe('ready');
});

test('restarts the measurement if another film is loaded instead', () => {
  const arrive = (from: Prebuffer, ...all: [now: number, bufferedTo: number][]) =>
    all.reduce((prebuffer, [now, bufferedTo]) => look(prebuffer, { now, bufferedTo }), from);
  const slow = arrive(newPrebuffer(0, true), [500, 2], [1_500, 2.3], [3_000, 2.5]);
  const other = arrive(slow, [3_500, 0], [4_000, 1], [4_500, 1.6]);
  expect(slow.stage).toBe('filling');
  expect(other.stage).toBe('filling');
  expect(arrive(other, [5_000, 2.2]).stage).toBe('ready');
});

test.each([
  [{ position: 5, bufferedTo: 299 }, false],
  [{ position: 5, bufferedTo: 299.8 }, true],
  [{ position: 279.9, bufferedTo: 290 }, false],
  [{ position: 280, bufferedTo: 281 }, true],
  [{ position: 0, bufferedTo: 0, duration: Number.NaN }, false],
])('allows fetching the song while a film of five minutes is at %j: %j', (at, may) => {
  expect(needsNoMore({ duration: 300, ...at })).toBe(may);
});
