import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mergePhraseLists,
  nextRows,
  type PhraseLists,
  piecesOf,
  roomIn,
  switched,
  withoutLast,
} from '../../src/web/admin/pages/phrases/lists.ts';

/** The small rules of the lists of phrases: which box is which, what was pasted, what two windows made of it. */

const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

test('a box keeps its id while its phrase is written, moved, and others come and go', () => {
  const rows = nextRows([], ['Due', 'Due', 'Tre']);
  const [first = '', second = '', third = ''] = idsOf(rows);
  expect(new Set(idsOf(rows)).size).toBe(3);
  const written = nextRows(rows, ['Due!', 'Due', 'Tre']);
  expect(idsOf(written)).toEqual([first, second, third]);
  const moved = nextRows(written, ['Tre', 'Due!', 'Due']);
  expect(idsOf(moved)).toEqual([third, first, second]);
  expect(idsOf(nextRows(moved, ['Tre', 'Due']))).toEqual([third, second]);
  const [added, ...others] = idsOf(nextRows(moved, ['Loro', 'Tre', 'Due!', 'Due']));
  expect(others).toEqual([third, first, second]);
  expect([first, second, third]).not.toContain(added);
});

test('whatever two lists are, the texts are those of the new one and no id is there twice', () => {
  const texts = fc.array(fc.constantFrom('', 'a', 'b', 'c'), { maxLength: 6 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const rows = nextRows(nextRows([], before), after);
      expect(rows.map(({ text }) => text)).toEqual(after);
      expect(new Set(idsOf(rows)).size).toBe(after.length);
    }),
  );
});

test('what was pasted is cut at blank lines, and at every line', () => {
  expect(piecesOf('Uno\r\ndue\r\n \r\n  Tre \n\n\n')).toEqual({
    paragraphs: ['Uno\ndue', 'Tre'],
    lines: ['Uno', 'due', 'Tre'],
  });
  expect(piecesOf(' Una sola ')).toEqual({ paragraphs: ['Una sola'], lines: ['Una sola'] });
  expect(piecesOf(' \n ')).toEqual({ paragraphs: [], lines: [] });
});

test('what was added together is taken back together, and only that', () => {
  expect(withoutLast(['a', 'b', 'a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
  expect(withoutLast(['a', 'c'], ['a', 'b'])).toEqual(['c']);
});

const START: PhraseLists = {
  frasi_pre_video: ['a'],
  frasi: ['b'],
  frasi_tra_viaggi: [],
  frasi_secondo_viaggio: [],
  frasi_finali_secondo_viaggio: [],
  durata_frase_secondi: 6,
  frasi_secondi_esatti: [],
};

test('two windows: phrases, seconds and switches of both are there', () => {
  const mine = { ...START, frasi: ['b', 'mia'], frasi_secondi_esatti: switched([], 'frasi', true) };
  const theirs = {
    ...START,
    frasi: ['loro', 'b'],
    durata_frase_secondi: 9,
    frasi_secondi_esatti: switched([], 'frasi_pre_video', true),
  };
  expect(mergePhraseLists(START, mine, theirs)).toEqual({
    ...START,
    frasi: ['loro', 'b', 'mia'],
    durata_frase_secondi: 9,
    frasi_secondi_esatti: ['frasi_pre_video', 'frasi'],
  });
  expect(switched(['frasi_pre_video', 'frasi'], 'frasi', false)).toEqual(['frasi_pre_video']);
});

test('a list has room for what it may still hold, and for nothing once it is full', () => {
  const list = (length: number) => Array.from({ length }, () => 'Ciao');
  expect([0, 198, 200, 201].map((length) => roomIn(list(length)))).toEqual([200, 2, 0, 0]);
});
