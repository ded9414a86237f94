import { expect, test } from 'vitest';
import { type SoundTrack, soundOf } from '../../src/server/media-worker/plan/tracks.ts';

const times = {
  packets: 100,
  shown: 100,
  bytes: 1,
  start: 0,
  end: 2,
  typical: 0.02,
  last: 0.02,
  mostInASecond: 50,
  astray: 0,
  isCutInside: false,
};
const track = (change: Partial<SoundTrack> = {}) => ({
  codec: 'aac',
  profile: 1,
  channels: 2,
  rate: 48_000,
  isEnabled: true,
  isReadable: true,
  isProtected: false,
  times,
  ...change,
});

test.each<[string, Partial<SoundTrack>[], number | null]>([
  ['the first of several', [{}, {}, {}], 0],
  ['the first that is enabled', [{ isEnabled: false }, {}, {}], 1],
  ['one that can be decoded before one that is enabled', [{ isReadable: false }, { isEnabled: false }], 1],
  ['one with packets', [{ times: null }, {}], 1],
  ['one with a rate that exists', [{ rate: 1 }, {}], 1],
  ['none where there is none', [], null],
])('a film gets %s', (_which, changes, index) => {
  const sounds = changes.map((change, place) => ({ index: place, ...track(change) }));
  const film = { container: 'mp4', pictures: [], sounds, longestHole: 0, isCutShort: false };
  expect(soundOf(film)?.index ?? null).toBe(index);
});
