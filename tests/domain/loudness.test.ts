import { expect, test } from 'vitest';
import { LOUDNESS, loudnessWarning, targetLoudness } from '../../src/domain/loudness.ts';

test('a film is too quiet or too loud by itself', () => {
  const of = (loudness: number | null) => loudnessWarning('video', loudness, -16);
  expect([-27.1, -27, -16, -11, -10.9].map(of)).toEqual(['TOO_QUIET', null, null, null, 'TOO_LOUD']);
  expect(of(null)).toBeNull();
});

test('a song is held against the film that it follows', () => {
  const of = (loudness: number) => loudnessWarning('song', loudness, -20);
  expect([-24.1, -24, -16, -15.9].map(of)).toEqual(['QUIETER_THAN_FILM', null, null, 'LOUDER_THAN_FILM']);
});

test('a song without a film is judged by itself', () => {
  const of = (loudness: number) => loudnessWarning('song', loudness, null);
  expect([-30, -16, -8].map(of)).toEqual(['TOO_QUIET', null, 'TOO_LOUD']);
});

test('a song follows its film, but never to where it can’t be heard or startles', () => {
  expect([-40, -20, -5].map((film) => targetLoudness('song', film))).toEqual([-23, -20, -12]);
  expect([targetLoudness('song', null), targetLoudness('video', -40)]).toEqual([-16, -16]);
});

test.each(['video', 'song'] as const)('of a levelled %s nothing is said', (kind) => {
  for (let film = -69; film < 0; film += 1)
    expect(loudnessWarning(kind, targetLoudness(kind, film), film)).toBeNull();
  expect(loudnessWarning(kind, LOUDNESS.target, null)).toBeNull();
});
