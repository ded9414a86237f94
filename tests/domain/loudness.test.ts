import { expect, test } from 'vitest';
import { loudnessWarning } from '../../src/domain/loudness.ts';

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

test('a song after a very quiet or very loud film is held against what a song may be', () => {
  const of = (loudness: number, film: number) => loudnessWarning('song', loudness, film);
  expect([of(-27, -40), of(-27.1, -40)]).toEqual([null, 'QUIETER_THAN_FILM']);
  expect([of(-8, -5), of(-7.9, -5)]).toEqual([null, 'LOUDER_THAN_FILM']);
});
