import { expect, test } from 'vitest';
import { canHandwrite } from '../../src/domain/phrases.ts';

test.each(['Giulia', 'D’Angela', 'Zoë', 'Anne-Sophie', 'Cafe\u0301'])('canHandwrite accepts %s', (name) =>
  expect(canHandwrite(name)).toBe(true),
);

test.each(['Жанна', 'Giuliα', 'Giulia ♥', 'Giulia2'])('canHandwrite rejects %s', (name) => {
  expect(canHandwrite(name)).toBe(false);
});

/** Letters of names in Italy and its neighbours: Italian, French, German, Spanish, Slovene and Croatian, Albanian. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzàèéìíîòóùúâæçêëïôœûüÿäößáñčćđšž';

test('covers the letters of names in Italy and its neighbours, both cases, and their separators', () => {
  const large = [...LETTERS].filter((letter) => !'ßÿ'.includes(letter)).map((letter) => letter.toUpperCase());
  expect([...LETTERS, ...large, " '’-,"].filter((letters) => !canHandwrite(letters))).toEqual([]);
});
