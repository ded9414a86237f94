import { describe, expect, test } from 'vitest';
import { humanShare, humanSize, humanSpeed, humanTimeLeft } from '../../src/texts/admin/amounts.ts';
import { uploadTexts } from '../../src/texts/admin/uploads.ts';
import {
  type Pace,
  pacedBy,
  secondsLeft,
  startPace,
} from '../../src/web/admin/components/media/uploads/pace.ts';

const MB = 1024 ** 2;

describe('how fast an upload goes', () => {
  test('nothing is said before the first measure', () => {
    expect(secondsLeft(startPace(0, 0), 100 * MB)).toBeNull();
    expect(pacedBy(startPace(0, 0), 100, MB).bytesPerSecond).toBeNull();
  });

  test('a steady line gives its speed and the time left', () => {
    const pace = steady(startPace(0, 0), { seconds: 10, bytesPerSecond: 2 * MB });
    expect(pace.bytesPerSecond).toBeCloseTo(2 * MB);
    expect(secondsLeft(pace, 100 * MB)).toBeCloseTo(40);
  });

  test('a sudden burst moves it only a little, a lasting change wholly', () => {
    const calm = steady(startPace(0, 0), { seconds: 30, bytesPerSecond: MB });
    const burst = pacedBy(calm, calm.at + 500, calm.sent + 10 * MB);
    expect(burst.bytesPerSecond).toBeLessThan(3 * MB);
    const faster = steady(calm, { seconds: 60, bytesPerSecond: 5 * MB });
    expect(faster.bytesPerSecond).toBeGreaterThan(4.9 * MB);
  });

  test('a stalled line slows down to nothing, and no time is promised', () => {
    const stalled = steady(steady(startPace(0, 0), { seconds: 10, bytesPerSecond: MB }), {
      seconds: 300,
      bytesPerSecond: 0,
    });
    expect(secondsLeft(stalled, 100 * MB)).toBeNull();
  });

  test('less than a byte a second is a standstill, a byte a second is a pace', () => {
    const pace = (bytesPerSecond: number): Pace => ({ at: 0, sent: 0, bytesPerSecond });
    expect([0.9, 1, 1.5].map((speed) => secondsLeft(pace(speed), 3))).toEqual([null, 3, 2]);
  });

  test('a chunk that is sent again gives no negative speed', () => {
    const pace = steady(startPace(0, 0), { seconds: 10, bytesPerSecond: MB });
    const cut = pacedBy(pace, pace.at + 1_000, pace.sent - 3 * MB);
    expect(cut.bytesPerSecond).toBe(pace.bytesPerSecond);
    expect(cut.sent).toBe(pace.sent - 3 * MB);
  });

  function steady(
    from: Pace,
    { seconds, bytesPerSecond }: { seconds: number; bytesPerSecond: number },
  ): Pace {
    let pace = from;
    for (let second = 1; second <= seconds; second += 1)
      pace = pacedBy(pace, from.at + second * 1_000, from.sent + second * bytesPerSecond);
    return pace;
  }
});

describe('amounts in Italian', () => {
  test.each([
    [0, '0 byte'],
    [1_023, '1023 byte'],
    [1_024, '1 kB'],
    [1_536, '1,5 kB'],
    [20 * MB, '20 MB'],
    [50 * MB, '50 MB'],
    [340.4 * MB, '340 MB'],
    [1.25 * 1024 * MB, '1,3 GB'],
    [2 * 1024 * MB, '2 GB'],
  ])('%i bytes are «%s»', (bytes, words) => {
    expect(humanSize(bytes)).toBe(words);
  });

  test('speeds', () => {
    expect(humanSpeed(2.44 * MB)).toBe('2,4 MB/s');
  });

  test.each([
    [3, 'pochi secondi'],
    [25, 'meno di un minuto'],
    [60, '1 minuto'],
    [754, '13 minuti'],
    [3_600, '1 ora'],
    [3_900, '1 ora e 5 minuti'],
    [7_260, '2 ore e 1 minuto'],
  ])('%i seconds are «%s»', (seconds, words) => {
    expect(humanTimeLeft(seconds)).toBe(words);
  });

  test.each([
    [4, 'pronto fra pochi secondi'],
    [29, 'pronto fra meno di un minuto'],
    [45, 'pronto fra circa 1 minuto'],
    [230, 'pronto fra circa 4 minuti'],
    [549, 'pronto fra circa 9 minuti'],
    [600, 'pronto fra circa 10 minuti'],
    [754, 'pronto fra circa 15 minuti'],
    [1_240, 'pronto fra circa 20 minuti'],
    [3_700, 'pronto fra circa 1 ora'],
  ])('%i seconds of work are «%s»', (seconds, words) => {
    expect(uploadTexts.readyIn(seconds)).toBe(words);
  });

  test('a share is 100% only at the end, and never beyond', () => {
    expect(humanShare(0.4)).toBe('40%');
    expect(humanShare(0.9999)).toBe('99%');
    expect(humanShare(1)).toBe('100%');
    expect(humanShare(1.2)).toBe('100%');
    expect(humanShare(-0.1)).toBe('0%');
  });

  test.each([
    [0, 'al 0%'],
    [0.01, 'all’1%'],
    [0.08, 'all’8%'],
    [0.11, 'all’11%'],
    [0.18, 'al 18%'],
    [0.79, 'al 79%'],
    [0.8, 'all’80%'],
    [0.89, 'all’89%'],
    [0.9, 'al 90%'],
  ])('%f is said behind its preposition', (share, said) => {
    expect(uploadTexts.resumeProgress(share)).toBe(`Era arrivato ${said}.`);
  });
});
