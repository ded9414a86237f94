import { describe, expect, it } from 'vitest';
import {
  bitrateOf,
  isLightAlready,
  isWorthKeeping,
  startsAfter,
  storedLight,
} from '../../src/domain/light.ts';

const MEGABIT = 125_000;
const film = (megabits: number, seconds: number) => ({ bytes: megabits * MEGABIT * seconds, seconds });

describe('how long a film takes to start on 4G', () => {
  it('is what its first seconds take, where the line carries it', () => {
    expect([1, 4, 8].map((megabits) => startsAfter(film(megabits, 120)))).toEqual([1, 2, 3]);
  });

  it('is what is missing at the end, where it doesn’t', () => {
    expect(startsAfter(film(18, 60))).toBe(60);
    expect(startsAfter(film(40, 600))).toBe(2_067);
  });

  it('is never less than a second, whatever the film', () => {
    expect(
      [film(0.1, 5), film(1, 0.04), { bytes: 0, seconds: 0 }, { bytes: 10, seconds: 0 }].map(startsAfter),
    ).toEqual([1, 1, 1, 1]);
  });

  it('is never longer for the light one', () => {
    for (let megabits = 1.25; megabits < 60; megabits *= 1.3)
      for (const seconds of [2, 30, 600])
        expect(startsAfter(film(1, seconds))).toBeLessThanOrEqual(startsAfter(film(megabits, seconds)));
  });
});

describe('where a light version stands', () => {
  const url = '/api/media/1.mp4';
  const light_url = '/api/media/2.mp4';
  const row = { url, light_url: null, light_of: null, light_state: null, light_on: true, seconds: null };
  const made = { ...row, light_url, light_of: url, light_state: 'made', seconds: 60 };

  it.each([
    ['not tried yet', row, { state: 'waiting', url: null }],
    ['made', made, { state: 'made', url: light_url }],
    ['made of another file', { ...made, url: '/api/media/3.mp4' }, { state: 'again', url: null }],
    ['needless', { ...made, light_url: null, light_state: 'needless' }, { state: 'needless', url: null }],
    ['not to be made', { ...made, light_url: null, light_state: 'refused' }, { state: 'refused', url: null }],
    ['not made by this machine', { ...row, light_state: 'failed' }, { state: 'failed', url: null }],
    ['a state of another time', { ...made, light_state: 'odd' }, { state: 'again', url: light_url }],
  ])('%s', (_, stored, expected) => {
    expect(storedLight(stored)).toMatchObject({ on: true, ...expected });
  });

  it('is told whether it is wanted or not', () => {
    expect(storedLight({ ...made, light_on: false })).toEqual({
      on: false,
      state: 'made',
      url: light_url,
      seconds: 60,
    });
  });
});

it('a film is light already, and a light one worth it, by their bytes', () => {
  expect([film(1.25, 60), film(1.26, 60)].map(isLightAlready)).toEqual([true, false]);
  expect([isWorthKeeping(80, 100), isWorthKeeping(81, 100)]).toEqual([true, false]);
  expect([bitrateOf(film(4, 60)), bitrateOf({ bytes: 9, seconds: 0 })]).toEqual([4_000_000, null]);
});
