import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import subsetFont from 'subset-font';
import { expect, test } from 'vitest';
import { canHandwrite, HANDWRITING_LETTERS } from '../../src/domain/phrases.ts';

test.each([
  'Giulia',
  'Niccolò',
  'Maria Chiara',
  'D’Angela',
  "D'Angela",
  'Zoë',
  'Łucja',
  'Şule',
  'Anne-Sophie',
  'Cafe\u0301',
])('canHandwrite accepts %s', (name) => expect(canHandwrite(name)).toBe(true));

test.each(['Жанна', 'Giuliα', 'Giulia ♥', 'Giulia2'])('canHandwrite rejects %s', (name) => {
  expect(canHandwrite(name)).toBe(false);
});

/** Letters of names in Italy and its neighbours: Italian, French, German, Spanish, Slovene and Croatian, Albanian. */
const LETTERS = 'abcdefghijklmnopqrstuvwxyzàèéìíîòóùúâæçêëïôœûüÿäößáñčćđšž';

test('covers the letters of names in Italy and its neighbours, both cases, and their separators', () => {
  const large = [...LETTERS].filter((letter) => !'ßÿ'.includes(letter)).map((letter) => letter.toUpperCase());
  expect([...LETTERS, ...large, " '’-,"].filter((letters) => !canHandwrite(letters))).toEqual([]);
});

test('the font file contains every letter of its list', async () => {
  const file = await readFile(resolve(import.meta.dirname, '../../src/web/ui/hand/hand.woff2'));
  const missing: string[] = [];
  for (const letter of HANDWRITING_LETTERS) if (!(await draws(file, letter))) missing.push(letter);
  expect(missing).toEqual([]);
  expect(await draws(file, 'Ж')).toBe(false);
});

/** Returns true if the font has a glyph for the letter: a subset of one letter then has a second glyph after that for missing ones. */
async function draws(font: Buffer, letter: string): Promise<boolean> {
  const cut = await subsetFont(font, letter, { targetFormat: 'truetype', noLayoutClosure: true });
  const tables = Array.from({ length: cut.readUInt16BE(4) }, (_, table) => 12 + 16 * table);
  const maxp = tables.find((table) => cut.toString('latin1', table, table + 4) === 'maxp');
  if (maxp === undefined) throw new Error('The font does not say how many glyphs it has');
  return cut.readUInt16BE(cut.readUInt32BE(maxp + 8) + 4) > 1;
}
