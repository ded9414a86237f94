import { describe, expect, it, test } from 'vitest';
import {
  type ConnectionInfo,
  chooseFilm,
  type DownloadSample,
  type Films,
  measure,
  newMeasure,
} from '../../src/experience/film-choice.ts';

const films: Films = {
  video_url: '/api/media/1.mp4',
  light_url: '/api/media/2.mp4',
  video_bitrate: 4_000_000,
  video_playback_rate: 1,
};
const silent: ConnectionInfo = { savesData: false, downlink: null };
const LENGTH = 60;
const NOTHING: DownloadSample = {
  now: 0,
  arrived: 0,
  ahead: 0,
  left: LENGTH,
  idle: true,
  unreliable: false,
};

type DownloadCourse = {
  /** Seconds of film that arrive per second, by the second. */
  speed: (second: number) => number;
  /** Seconds before the first data arrives. */
  wait?: number;
  restsAt?: number;
  unfair?: (second: number) => boolean;
  rate?: number;
  line?: ConnectionInfo;
};

/** Loads a one-minute film and samples it four times a second until a film is chosen. The tap comes at second `tap`. */
function choose(
  { speed, wait = 0.3, restsAt = LENGTH, unfair, rate = 1, line = silent }: DownloadCourse,
  tap: number,
) {
  let seen = newMeasure(0);
  let arrived = 0;
  for (let second = 0.25; ; second += 0.25) {
    if (second > wait) arrived = Math.min(restsAt, LENGTH, arrived + 0.25 * speed(second));
    const look: DownloadSample = {
      now: second * 1_000,
      arrived,
      ahead: arrived,
      left: arrived > 0 ? LENGTH : Number.NaN,
      idle: arrived >= restsAt,
      unreliable: unfair?.(second) ?? false,
    };
    seen = measure(seen, look);
    const film = chooseFilm(
      { ...films, video_playback_rate: rate },
      line,
      { measure: seen, look },
      second >= tap,
    );
    if (film !== null) return { film, second };
    if (second >= tap) throw new Error('no answer at the tap');
  }
}
const steady = (speed: number) => () => speed;

describe('film choice', () => {
  const courses: [what: string, course: DownloadCourse, tap: number, film: 'full' | 'light'][] = [
    ['a browser that soon has enough and rests', { speed: steady(40), restsAt: 10 }, 30, 'full'],
    [
      'one that rests with its first picture, on a line that was never seen',
      { speed: steady(1), restsAt: 0.25 },
      30,
      'full',
    ],
    ['a line a third faster than the film', { speed: steady(1.33) }, 30, 'full'],
    ['one of 1.2 Mbit/s with a film of 4', { speed: steady(0.3) }, 30, 'light'],
    ['one as fast as the film, which nothing may happen to', { speed: steady(1) }, 30, 'light'],
    ['one fast enough, but not for a film at double speed', { speed: steady(1.5), rate: 2 }, 30, 'light'],
    ['nothing at all, as on a phone that loads nothing before a tap', { speed: steady(0) }, 20, 'full'],
    ['a tap too soon to know', { speed: steady(0.3) }, 1, 'full'],
    ['a tap as soon as it can be known', { speed: steady(0.3) }, 2, 'light'],
    ['a line that waits long and is good then', { speed: steady(20), wait: 5 }, 30, 'full'],
    ['a line that has died', { speed: (second) => (second < 1 ? 1 : 0) }, 30, 'light'],
    [
      'a page that was hidden, and a good line',
      { speed: (s) => (s < 6 ? 0.1 : 3), unfair: (s) => s < 6 },
      30,
      'full',
    ],
  ];
  it.each(courses)('%s', (_, course, tap, film) => {
    expect(choose(course, tap).film).toBe(film);
  });

  it('chooses the light film after three seconds on a slow connection, in time to load it', () => {
    expect(choose({ speed: steady(0.3) }, 60)).toEqual({ film: 'light', second: 3.5 });
  });

  it('chooses the full film once all of it has arrived, at any later speed', () => {
    const look = { ...NOTHING, ahead: LENGTH };
    const still = { at: 1_000, arrived: 60 };
    const seen = {
      measure: { ...newMeasure(1_000), asked: still, first: still, last: { ...still, at: 9_000 } },
      look,
    };
    expect(chooseFilm(films, silent, seen, true)).toBe('full');
  });

  it('never chooses the light film on a fast connection, at any tap time', () => {
    for (let tap = 0.25; tap < 12; tap += 0.25)
      for (const speed of [1.3, 2, 5, 100])
        for (const wait of [0.1, 0.5, 2])
          expect(choose({ speed: steady(speed), wait }, tap).film).toBe('full');
  });
});

describe('film choice without a measurement', () => {
  const nothing = { speed: steady(0) };
  const at = (downlink: number | null, changes: Partial<Films> = {}) => {
    const look = { ...NOTHING, now: 9_000, left: Number.NaN };
    const seen = { measure: measure(newMeasure(0), look), look };
    return chooseFilm({ ...films, ...changes }, { savesData: false, downlink }, seen, true);
  };

  it('uses the speed that the browser reports, if any', () => {
    expect([at(1.2), at(3.9), at(4.1), at(10), at(null)]).toEqual(['light', 'light', 'full', 'full', 'full']);
    expect(at(1.2, { video_bitrate: null })).toBe('full');
    expect(at(5, { video_playback_rate: 1.5 })).toBe('light');
    expect(at(10, { video_bitrate: 12_000_000 })).toBe('full');
  });

  it('ignores the reported speed once something was measured', () => {
    expect(choose({ speed: steady(20), line: { savesData: false, downlink: 0.4 } }, 5).film).toBe('full');
    expect(choose({ ...nothing, line: { savesData: false, downlink: 9 } }, 5).film).toBe('full');
  });
});

test('chooses the light film in data-saving mode, and the full film if there is no light one', () => {
  const seen = { measure: newMeasure(0), look: NOTHING };
  const saving = { savesData: true, downlink: null };
  expect(chooseFilm(films, saving, seen, false)).toBe('light');
  expect(chooseFilm({ ...films, light_url: null }, saving, seen, false)).toBe('full');
  expect(chooseFilm({ ...films, light_url: null }, { savesData: false, downlink: 0.1 }, seen, true)).toBe(
    'full',
  );
});
