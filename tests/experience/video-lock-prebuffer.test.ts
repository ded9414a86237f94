import { describe, expect, it } from 'vitest';
import {
  needsNoMore,
  newPrebuffer,
  type Prebuffer,
  watchPrebuffer,
} from '../../src/experience/video-lock/prebuffer.ts';

type Line = {
  /** Seconds of film that arrive in a second. */
  speed: number;
  playableAfter?: number;
  duration?: number;
  rate?: number;
  restsAt?: number;
};

/** Watches a line for `seconds`, every half second; its stages by time of their beginning. */
function watch(line: Line, seconds: number): { prebuffer: Prebuffer; stages: [number, string][] } {
  let prebuffer = newPrebuffer(0, true);
  const stages: [number, string][] = [[0, prebuffer.stage]];
  for (let now = 500; now <= seconds * 1_000; now += 500) {
    const { duration = 60, rate = 1, playableAfter = 0, restsAt = Number.POSITIVE_INFINITY } = line;
    const bufferedTo = Math.min(duration, restsAt, (line.speed * now) / 1_000);
    const sample = { now, position: 0, duration, rate, bufferedTo, resting: bufferedTo === restsAt };
    prebuffer = watchPrebuffer(prebuffer, { ...sample, playable: now >= playableAfter * 1_000 });
    if (stages.at(-1)?.[1] !== prebuffer.stage) stages.push([now / 1_000, prebuffer.stage]);
  }
  return { prebuffer, stages };
}

describe('the start button', () => {
  it('waits for a film that could run', () => {
    const { stages } = watch({ speed: 20, playableAfter: 2 }, 4);
    expect(stages).toEqual([
      [0, 'preparing'],
      [2, 'ready'],
    ]);
  });

  it('is free after 6 s when nothing arrives at all, as on phones that load nothing before a tap', () => {
    const { stages } = watch({ speed: 0, playableAfter: 99 }, 10);
    expect(stages).toEqual([
      [0, 'preparing'],
      [6, 'ready'],
    ]);
  });

  it('on a line faster than the film is ready as soon as that is known', () => {
    expect(watch({ speed: 1.5, playableAfter: 1 }, 4).stages.at(-1)).toEqual([1.5, 'ready']);
  });

  it('taken up near its end wants no more than what is left', () => {
    const at = (bufferedTo: number) => ({
      now: 500,
      bufferedTo,
      position: 56,
      duration: 60,
      rate: 1,
      playable: true,
      resting: false,
    });
    const after = (bufferedTo: number) => watchPrebuffer(newPrebuffer(0, true), at(bufferedTo));
    expect(after(58)).toMatchObject({ stage: 'filling', filled: expect.closeTo(2 / 3.9) });
    expect(after(60)).toMatchObject({ stage: 'ready', filled: 1 });
  });

  it('measures anew when another film is loaded instead', () => {
    const at = (now: number, bufferedTo: number) => ({
      now,
      bufferedTo,
      position: 0,
      duration: 60,
      rate: 1,
      playable: true,
      resting: false,
    });
    const slow = [at(500, 2), at(1_500, 2.3), at(3_000, 2.5)].reduce(watchPrebuffer, newPrebuffer(0, true));
    expect(slow.stage).toBe('filling');
    const other = [at(3_500, 0), at(4_000, 1), at(4_500, 1.6)].reduce(watchPrebuffer, slow);
    expect(other.stage).toBe('filling');
    expect(watchPrebuffer(other, at(5_000, 2.2)).stage).toBe('ready');
  });

  it('on a slow line offers the start at once, with a bar, until 10 s are there', () => {
    const { stages } = watch({ speed: 0.8, playableAfter: 2 }, 15);
    expect(stages).toEqual([
      [0, 'preparing'],
      [2, 'filling'],
      [12.5, 'ready'],
    ]);
  });

  it('on a very slow line stops waiting after 20 s', () => {
    const { stages, prebuffer } = watch({ speed: 0.1, playableAfter: 2 }, 25);
    expect(stages.at(-1)).toEqual([20, 'ready']);
    expect(prebuffer.filled).toBeCloseTo(0.2, 1);
  });

  it('counts the speed at which the film will play', () => {
    expect(watch({ speed: 1.5, playableAfter: 1, rate: 2 }, 3).prebuffer.stage).toBe('filling');
  });

  it('doesn’t wait for more than the film has, nor for a browser that has loaded all it wants', () => {
    expect(watch({ speed: 0.8, playableAfter: 1, duration: 3 }, 5).prebuffer.stage).toBe('ready');
    expect(watch({ speed: 0.9, playableAfter: 1, restsAt: 2.7 }, 3).prebuffer.stage).toBe('ready');
  });

  it('is ready at once where nothing is loaded before the tap', () => {
    expect(newPrebuffer(0, false)).toMatchObject({ stage: 'ready', filled: 1 });
  });
});

describe('the song may be fetched', () => {
  it.each([
    [{ position: 5, bufferedTo: 60 }, false],
    [{ position: 5, bufferedTo: 299 }, false],
    [{ position: 5, bufferedTo: 299.8 }, true],
    [{ position: 279.9, bufferedTo: 290 }, false],
    [{ position: 280, bufferedTo: 281 }, true],
    [{ position: 0, bufferedTo: 0, duration: Number.NaN }, false],
  ])('while a film of five minutes is at %j: %j', (at, may) => {
    expect(needsNoMore({ duration: 300, ...at })).toBe(may);
  });
});
