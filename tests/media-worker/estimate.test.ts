import { describe, expect, test } from 'vitest';
import { createPace } from '../../src/server/media-worker/pace.ts';
import { expectedSeconds } from '../../src/server/media-worker/plan/estimate.ts';
import { planFilm } from '../../src/server/media-worker/plan/film-plan.ts';
import type { Times } from '../../src/server/media-worker/plan/times.ts';
import type { PictureTrack, SoundTrack } from '../../src/server/media-worker/plan/tracks.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';

type Filmed = {
  codec: string;
  width: number;
  height: number;
  fps: number;
  transfer?: number;
  minutes?: number;
};

const [BT709, HLG] = [1, 18];

const timesOf = (fps: number, end: number): Times => ({
  packets: fps * end,
  shown: fps * end,
  bytes: 1,
  start: 0,
  end,
  typical: 1 / fps,
  last: 1 / fps,
  mostInASecond: Math.ceil(fps),
  astray: 0,
  isCutInside: false,
});

/** What is expected of a film of so many minutes, in seconds of two cores. */
function expected({ codec, width, height, fps, transfer = BT709, minutes = 3 }: Filmed): number {
  const base = { isEnabled: true, isReadable: true, isProtected: false };
  const picture: PictureTrack = {
    ...base,
    index: 0,
    codec,
    profile: 100,
    level: 40,
    width,
    height,
    pixelAspect: 1,
    pixels: 'yuv420p',
    isInterlaced: false,
    matrix: null,
    colour: { primaries: 1, transfer, matrix: 1, isFull: false },
    isExtra: false,
    times: timesOf(fps, 60 * minutes),
  };
  const sound: SoundTrack = {
    ...base,
    index: 1,
    codec: 'aac',
    profile: 1,
    channels: 2,
    rate: 48_000,
    times: timesOf(48_000 / 1_024, 60 * minutes),
  };
  const file = { container: 'mov,mp4,m4a,3gp,3g2,mj2', longestHole: 0, isCutShort: false };
  const plan = planFilm({ ...file, pictures: [picture], sounds: [sound] });
  if ('refused' in plan) throw new Error(plan.refused);
  return expectedSeconds(plan);
}

const FULL_HD = { width: 1_920, height: 1_080 };
const FOUR_K = { width: 3_840, height: 2_160 };

/** Three minutes of each were converted on two cores. */
test.each([
  ['1080p30 in HEVC', { codec: 'hevc', ...FULL_HD, fps: 30 }, 125, 'pronto fra circa 2 minuti'],
  ['4K60', { codec: 'hevc', ...FOUR_K, fps: 60 }, 348, 'pronto fra circa 6 minuti'],
  ['4K30 in HLG', { codec: 'hevc', ...FOUR_K, fps: 30, transfer: HLG }, 492, 'pronto fra circa 8 minuti'],
] as const)('three minutes of %s take what they took', (_name, film, took, words) => {
  const seconds = expected(film);
  expect(Math.abs(seconds - took) / took).toBeLessThan(0.05);
  expect(uploadTexts.readyIn(seconds)).toBe(words);
});

test('what is kept as it is takes seconds, a few pictures hardly anything', () => {
  const kept = { codec: 'h264', ...FULL_HD, fps: 30 };
  expect(uploadTexts.readyIn(expected(kept))).toBe('pronto fra meno di un minuto');
  expect(expected({ ...kept, codec: 'hevc', minutes: 0.05 })).toBeLessThan(5);
});

test('it grows with every picture, and HDR costs the more', () => {
  const film = { codec: 'hevc', ...FULL_HD, fps: 30 };
  expect(expected({ ...film, minutes: 6 })).toBeCloseTo(2 * expected(film));
  expect(expected({ ...film, transfer: HLG })).toBeGreaterThan(2 * expected(film));
});

describe('a machine', () => {
  test.each([
    [1, 200],
    [2, 100],
    [4, 50],
    [16, 50],
  ])('of %i cores takes %i seconds for a hundred of two', (cores, seconds) => {
    expect(createPace(cores).here(100)).toBe(seconds);
  });

  test('is known by what it did, the last the most, and never wildly', () => {
    const pace = createPace(2);
    pace.learn(100, 300);
    expect(pace.here(100)).toBe(300);
    pace.learn(100, 100);
    expect(pace.here(100)).toBe(200);
    pace.learn(1, 1_000);
    expect(pace.here(100)).toBe(200);
    pace.learn(10, 100_000);
    expect(pace.here(100)).toBe(500);
  });
});
