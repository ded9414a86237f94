import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addedPhrases,
  binCutoff,
  binExpiresAt,
  deletedPhrases,
  insertIndexFor,
} from '../../src/domain/bin.ts';

const texts = (before: string[], after: string[]) => deletedPhrases(before, after).map(({ testo }) => testo);

describe('deletedPhrases', () => {
  test.each<[string, string[], string[], string[]]>([
    ['one', ['a', 'b', 'c'], ['a', 'c'], ['b']],
    ['one of two that are the same', ['a', 'a'], ['a'], ['a']],
    ['an edit is no deletion', ['a', 'b', 'c'], ['a', 'bb', 'c'], []],
    ['nor is a move', ['a', 'b', 'c'], ['c', 'a', 'b'], []],
    ['an edit and a deletion', ['a', 'b', 'c', 'd'], ['a', 'bb', 'd'], ['c']],
    ['an edit beside a deletion, the other way round', ['a', 'b', 'c', 'd'], ['a', 'cc', 'd'], ['c']],
    ['a deletion and an edit before what follows', ['a', 'b', 'x', 'c', 'd'], ['c', 'bb', 'x', 'd'], ['a']],
    ['a deletion and a move', ['a', 'b', 'c'], ['c', 'a'], ['b']],
    ['a blank one is worth nothing', ['a', ' ', 'c'], ['a', 'c'], []],
  ])('returns the deleted texts: %s', (_what, before, after, deletedTexts) => {
    expect(texts(before, after)).toEqual(deletedTexts);
  });

  test('returns each with its index and its old neighbours', () => {
    expect(deletedPhrases(['a', 'b', 'c', 'd'], ['b', 'd'])).toEqual([
      { testo: 'a', posizione: 0, prima: null, dopo: 'b' },
      { testo: 'c', posizione: 2, prima: 'b', dopo: 'd' },
    ]);
    expect(deletedPhrases(['a', 'b'], ['a'])).toEqual([{ testo: 'b', posizione: 1, prima: 'a', dopo: null }]);
  });

  test('addedPhrases returns added texts, repeated ones included', () => {
    expect(addedPhrases(['a', 'b'], ['b', 'c', 'b'])).toEqual(['c', 'b']);
  });

  const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 8 });
  test('returns as many as the list has become shorter', () => {
    fc.assert(
      fc.property(list, list, (before, after) => {
        expect(deletedPhrases(before, after)).toHaveLength(Math.max(0, before.length - after.length));
      }),
    );
  });

  test('restores the original list when all are put back one by one', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.string({ minLength: 1 })),
        fc.infiniteStream(fc.boolean()),
        (all, keep) => {
          const before = all.filter((text) => text.trim() !== '');
          const stays = [...keep.take(before.length)];
          let list = before.filter((_, place) => stays[place]);
          for (const { testo, ...was } of deletedPhrases(before, list))
            list = list.toSpliced(insertIndexFor(list, was), 0, testo);
          expect(list).toEqual(before);
        },
      ),
    );
  });
});

describe('insertIndexFor', () => {
  const of = (posizione: number, prima: string | null, dopo: string | null) => ({ posizione, prima, dopo });
  test.each<[string, string[], ReturnType<typeof of>, number]>([
    ['between its neighbours', ['x', 'a', 'c'], of(1, 'a', 'c'), 2],
    ['behind the one before it', ['c', 'a', 'x'], of(1, 'a', 'b'), 2],
    ['before the one after it', ['x', 'y', 'c'], of(1, 'a', 'c'), 2],
    ['last again', ['x', 'y'], of(1, 'a', null), 2],
    ['at its number, where nobody is left', ['x', 'y', 'z'], of(1, 'a', 'c'), 1],
    ['at the end of a list that is too short', ['x'], of(7, 'a', 'c'), 1],
    ['beside the nearer of two', ['a', 'x', 'a', 'y'], of(3, 'a', 'q'), 3],
  ])('inserts a phrase %s', (_what, list, was, place) => {
    expect(insertIndexFor(list, was)).toBe(place);
  });
});

test('keeps a deleted item for 30 days', () => {
  const deleted = '2027-02-14T19:00:00.000Z';
  expect(binExpiresAt(deleted).toISOString()).toBe('2027-03-16T19:00:00.000Z');
  expect(binCutoff(new Date('2027-03-16T19:00:00.000Z')).toISOString()).toBe(deleted);
});
