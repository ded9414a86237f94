import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeLists, mergeValues } from '../../src/web/admin/components/forms/merge.ts';
import {
  freeSlots,
  mergePhraseLists,
  moveItem,
  nextRows,
  type PhraseLists,
  piecesOf,
  withoutLast,
  withSwitched,
} from '../../src/web/admin/pages/phrases/lists.ts';

/** Concurrent edits of lists and forms: row ids and merging. */

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('phrase list', () => {
  test('preserves a row’s id while its phrase is edited or moved and others are added or removed', () => {
    const rows = nextRows([], ['Due', 'Due', 'Tre']);
    const [first = '', second = '', third = ''] = idsOf(rows);
    expect(new Set(idsOf(rows)).size).toBe(3);
    const written = nextRows(rows, ['Due!', 'Due', 'Tre']);
    expect(idsOf(written)).toEqual([first, second, third]);
    const turned = nextRows(written, ['Tre', 'Due!', 'Due']);
    expect(idsOf(turned)).toEqual([third, first, second]);
    expect(idsOf(nextRows(turned, ['Tre', 'Due']))).toEqual([third, second]);
    const [added, ...others] = idsOf(nextRows(turned, ['Loro', 'Tre', 'Due!', 'Due']));
    expect(others).toEqual([third, first, second]);
    expect([first, second, third]).not.toContain(added);
    fc.assert(
      fc.property(list, list, (before, after) => {
        const next = nextRows(nextRows([], before), after);
        expect(next.map(({ text }) => text)).toEqual(after);
        expect(new Set(idsOf(next)).size).toBe(after.length);
      }),
    );
  });

  test('splits pasted text into paragraphs and lines, and removes only phrases that were added together', () => {
    expect(piecesOf('Uno\r\ndue\r\n \r\n  Tre \n\n\n')).toEqual({
      paragraphs: ['Uno\ndue', 'Tre'],
      lines: ['Uno', 'due', 'Tre'],
    });
    expect(piecesOf(' \n ')).toEqual({ paragraphs: [], lines: [] });
    expect(withoutLast(['a', 'b', 'a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(withoutLast(['a', 'c'], ['a', 'b'])).toEqual(['c']);
  });

  test('has room for 200, and moves items', () => {
    const of = (length: number) => Array.from({ length }, () => 'Ciao');
    expect([0, 198, 200, 201].map((length) => freeSlots(of(length)))).toEqual([200, 2, 0, 0]);
    expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moveItem(['a', 'b'], 5, 0)).toEqual(['a', 'b']);
  });

  test('merges phrases, seconds and switches of two windows', () => {
    const start: PhraseLists = {
      frasi_pre_video: ['a'],
      frasi: ['b'],
      frasi_tra_viaggi: [],
      frasi_secondo_viaggio: [],
      frasi_finali_secondo_viaggio: [],
      durata_frase_secondi: 6,
      frasi_secondi_esatti: [],
    };
    const mine = { ...start, frasi: ['b', 'mia'], frasi_secondi_esatti: withSwitched([], 'frasi', true) };
    const exact = withSwitched([], 'frasi_pre_video', true);
    const theirs = { ...start, frasi: ['loro', 'b'], durata_frase_secondi: 9, frasi_secondi_esatti: exact };
    expect(mergePhraseLists(start, mine, theirs)).toEqual({
      ...start,
      frasi: ['loro', 'b', 'mia'],
      durata_frase_secondi: 9,
      frasi_secondi_esatti: ['frasi_pre_video', 'frasi'],
    });
    expect(withSwitched(['frasi_pre_video', 'frasi'], 'frasi', false)).toEqual(['frasi_pre_video']);
  });

  test('merges all additions and removals of both sides', () => {
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
    fc.assert(
      fc.property(list, list, list, (base, mine, theirs) => {
        expect(mergeLists(base, mine, theirs).toSorted()).toEqual(mergeLists(base, theirs, mine).toSorted());
        expect(mergeLists(base, mine, base)).toEqual(mine);
        expect(mergeLists(base, base, mine)).toEqual(mine);
        expect(mergeLists(base, mine, mine)).toEqual(mine);
      }),
    );
  });

  test.each([
    ['what they added where they put it', ['a', 'b'], ['a', 'b', 'mia'], ['a', 'loro', 'b'], 'a loro b mia'],
    [
      'my order, with what they added and removed',
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['a', 'c', 'loro'],
      'c loro a',
    ],
    ['their order where I only added', ['a', 'b', 'c'], ['a', 'b', 'c', 'mia'], ['c', 'b', 'a'], 'c mia b a'],
  ])('preserves %s', (_what, base, mine, theirs, merged) => {
    expect(mergeLists(base, mine, theirs).join(' ')).toBe(merged);
  });
});

test('merges one-sided changes of a form, and preserves the local value of a field that both changed', () => {
  type Form = { titolo: string; frasi: readonly string[] };
  const form = fc.record({ titolo: fc.constantFrom('', 'a', 'b', 'c'), frasi: list });
  fc.assert(
    fc.property(form, form, (base, changed) => {
      const expected = { merged: changed, conflicts: [] };
      expect(mergeValues<Form>(base, changed, base)).toEqual(expected);
      expect(mergeValues<Form>(base, base, changed)).toEqual(expected);
      expect(mergeValues<Form>(base, changed, changed)).toEqual(expected);
    }),
  );
  const base = { titolo: 'a', frasi: ['x'] };
  expect(mergeValues<Form>(base, { ...base, titolo: 'b' }, { titolo: 'c', frasi: [] })).toEqual({
    merged: { titolo: 'b', frasi: [] },
    conflicts: ['titolo'],
  });
});
