import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  mergePhraseLists,
  moved,
  nextRows,
  type PhraseLists,
  piecesOf,
  roomIn,
  secondsOf,
  switched,
  withoutLast,
} from '../../src/web/admin/pages/phrases/lists.ts';
import { mergeLists } from '../../src/web/admin/pages/phrases/merge-lists.ts';

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
  const of = (length: number) => Array.from({ length }, () => 'Ciao');
  expect([0, 198, 200, 201].map((length) => roomIn(of(length)))).toEqual([200, 2, 0, 0]);
});

test.each([
  ['', 6],
  ['abc', 6],
  ['-', 6],
  ['2', 3],
  ['3', 3],
  ['7', 7],
  ['7,5', 7],
  ['15', 15],
  ['16', 15],
  ['-4', 3],
])('«%s» seconds are %i', (written, seconds) => expect(secondsOf(written)).toBe(seconds));

test('an item moves to its new place', () => {
  expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
  expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
  expect(moved(['a', 'b'], 5, 0)).toEqual(['a', 'b']);
});

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });

test('where they changed nothing it is mine, where I changed nothing it is theirs', () => {
  fc.assert(
    fc.property(list, list, (base, changed) => {
      expect(mergeLists(base, changed, base)).toEqual(changed);
      expect(mergeLists(base, base, changed)).toEqual(changed);
      expect(mergeLists(base, changed, changed)).toEqual(changed);
    }),
  );
});

test('every addition is there, no removal comes back, whoever made it', () => {
  const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'));
  fc.assert(
    fc.property(set, set, set, (base, mine, theirs) => {
      const all = [...new Set([...base, ...mine, ...theirs])];
      const expected = all.filter((text) => {
        const [here, there] = [mine.includes(text), theirs.includes(text)];
        return base.includes(text) ? here && there : here || there;
      });
      expect(mergeLists(base, mine, theirs).toSorted()).toEqual(expected.toSorted());
    }),
  );
});

test('two hands merge to the same phrases from either side', () => {
  fc.assert(
    fc.property(list, list, list, (base, mine, theirs) => {
      expect(mergeLists(base, mine, theirs).toSorted()).toEqual(mergeLists(base, theirs, mine).toSorted());
    }),
  );
});

test('what they added stands where they put it', () => {
  expect(mergeLists(['a', 'b'], ['a', 'b', 'mia'], ['a', 'loro', 'b'])).toEqual(['a', 'loro', 'b', 'mia']);
});

test('my new order holds, with what they added and without what they removed', () => {
  expect(mergeLists(['a', 'b', 'c'], ['c', 'a', 'b'], ['a', 'c', 'loro'])).toEqual(['c', 'loro', 'a']);
});

test('their new order holds where I only added', () => {
  expect(mergeLists(['a', 'b', 'c'], ['a', 'b', 'c', 'mia'], ['c', 'b', 'a'])).toEqual([
    'c',
    'mia',
    'b',
    'a',
  ]);
});

test('a phrase both edited stays in both versions', () => {
  const merged = mergeLists(['ciao', 'poi'], ['ciao amore', 'poi'], ['ciao bella', 'poi']);
  expect(merged).toEqual(['ciao bella', 'ciao amore', 'poi']);
});

test('a save whose answer was lost is not stored twice', () => {
  expect(mergeLists(['a'], ['a', 'nuova'], ['a', 'nuova'])).toEqual(['a', 'nuova']);
});
