import { describe, expect, test } from 'vitest';
import { expectedSeconds } from '../../src/server/media-worker/plan/encoding.ts';
import { type FilmPlan, nextPlan, planFilm } from '../../src/server/media-worker/plan/film-plan.ts';
import type { Times } from '../../src/server/media-worker/plan/times.ts';
import { type PictureTrack, type SoundTrack, soundOf } from '../../src/server/media-worker/plan/tracks.ts';
import { createSpeedEstimate } from '../../src/server/media-worker/worker.ts';

/** Plans for films, and the time that they take. */

const timesOf = (fps: number, end: number): Times => ({
  packets: fps * end,
  shown: fps * end,
  bytes: 1,
  start: 0,
  end,
  typical: 1 / fps,
  last: 1 / fps,
  maxPerSecond: Math.ceil(fps),
  astray: 0,
  isCutInside: false,
});
const base = { isEnabled: true, isReadable: true, isProtected: false };
const soundTrack = (seconds: number, change: Partial<SoundTrack> = {}): SoundTrack => ({
  ...base,
  index: 1,
  codec: 'aac',
  profile: 1,
  channels: 2,
  rate: 48_000,
  times: timesOf(48_000 / 1_024, seconds),
  ...change,
});
const file = { container: 'mov,mp4,m4a,3gp,3g2,mj2', longestHole: 0, isCutShort: false };

describe('sound track of a film', () => {
  test.each<[string, Partial<SoundTrack>[], number | null]>([
    ['the first of several', [{}, {}, {}], 0],
    ['the first that is enabled', [{ isEnabled: false }, {}, {}], 1],
    ['one that can be decoded before one that is enabled', [{ isReadable: false }, { isEnabled: false }], 1],
    ['one with packets', [{ times: null }, {}], 1],
    ['one with a rate that exists', [{ rate: 1 }, {}], 1],
    ['none where there is none', [], null],
  ])('is %s', (_which, changes, index) => {
    const sounds = changes.map((change, place) => soundTrack(2, { index: place, ...change }));
    expect(soundOf({ ...file, pictures: [], sounds })?.index ?? null).toBe(index);
  });
});

const [BT709, HLG] = [1, 18];

/** Returns the expected seconds on two cores for a film of 1,080 lines and 30 pictures per second. */
function expected(codec: string, { transfer = BT709, minutes = 3 } = {}): number {
  const picture: PictureTrack = {
    ...base,
    index: 0,
    codec,
    profile: 100,
    level: 40,
    width: 1_920,
    height: 1_080,
    pixelAspect: 1,
    pixels: 'yuv420p',
    isInterlaced: false,
    matrix: null,
    colour: { primaries: 1, transfer, matrix: 1, isFull: false },
    isExtra: false,
    times: timesOf(30, 60 * minutes),
  };
  const plan = planFilm({ ...file, pictures: [picture], sounds: [soundTrack(60 * minutes)] });
  return expectedSeconds(plan);
}

describe('estimated time of a film', () => {
  test('grows with the pictures and with HDR, and is short for a copied film', () => {
    const film = expected('hevc');
    // Measured on two cores: 125 s.
    expect(Math.abs(film - 125) / 125).toBeLessThan(0.05);
    expect(expected('hevc', { minutes: 6 })).toBeCloseTo(2 * film);
    expect(expected('hevc', { transfer: HLG })).toBeGreaterThan(2 * film);
    expect(expected('h264')).toBeLessThan(60);
  });

  test.each([
    [1, 200],
    [4, 50],
    [16, 50],
  ])('is, on %i cores, %i seconds for a task of 100 seconds on two', (cores, seconds) => {
    expect(createSpeedEstimate(cores).localSeconds(100)).toBe(seconds);
  });

  test('is learned from measured times, mostly from the last, and limited', () => {
    const pace = createSpeedEstimate(2);
    for (const [thought, took, next] of [
      [100, 300, 300],
      [100, 100, 200],
      [1, 1_000, 200],
      [10, 100_000, 500],
    ] as const) {
      pace.learn(thought, took);
      expect(pace.localSeconds(100)).toBe(next);
    }
  });
});

describe('nextPlan', () => {
  type How = 'keep' | 'make';
  const plan = (picture: How, sound: How | null) =>
    ({ picture: { how: picture }, sound: sound === null ? null : { how: sound } }) as unknown as FilmPlan;
  const [none, picture, sound, both] = [
    { picture: false, sound: false },
    { picture: true, sound: false },
    { picture: false, sound: true },
    { picture: true, sound: true },
  ];
  type TrackFlags = typeof none;

  test.each<[string, FilmPlan, before: TrackFlags, faulty: TrackFlags, next: TrackFlags | null]>([
    ['the picture is made anew', plan('keep', 'keep'), none, picture, picture],
    ['a picture that was made anew stays so', plan('make', 'keep'), picture, sound, both],
    ['sound that was made anew stays so', plan('keep', 'make'), sound, picture, both],
    ['a picture that was made can’t be made any better', plan('make', 'keep'), picture, picture, null],
    ['a film without sound has its picture made', plan('keep', null), none, picture, picture],
  ])('%s', (_what, attempted, before, faulty, next) => {
    expect(nextPlan(attempted, before, faulty)).toEqual(next);
  });
});
