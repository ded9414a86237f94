import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeLists } from '../../src/web/admin/pages/phrases/merge-lists.ts';

/** Two windows on the same list of phrases: nothing that anybody wrote is lost. */

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
