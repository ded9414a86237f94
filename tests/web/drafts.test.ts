import { afterEach, expect, test, vi } from 'vitest';
import { isLike, keepDraft, readDraft } from '../../src/web/admin/components/forms/drafts.ts';
import { moved, secondsOf } from '../../src/web/admin/pages/phrases/lists.ts';

/** What was typed and not saved, and the small rules of the phrases page. */

afterEach(() => vi.unstubAllGlobals());

function storage() {
  const kept = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
  return kept;
}

const isDraft = (draft: unknown) => isLike(draft, { titolo: '', frasi: [''] });

test('a draft is kept under its name until it is forgotten', () => {
  storage();
  keepDraft('uno', JSON.stringify({ titolo: 'a', frasi: ['x'] }));
  expect(readDraft('uno', isDraft)).toEqual({ titolo: 'a', frasi: ['x'] });
  expect(readDraft('due', isDraft)).toBeNull();
  keepDraft('uno', null);
  expect(readDraft('uno', isDraft)).toBeNull();
});

test('what isn’t a draft of this form is no draft', () => {
  const kept = storage();
  for (const json of [
    '{',
    'null',
    '7',
    '{"titolo":1,"frasi":[]}',
    '{"titolo":"a"}',
    '{"titolo":"a","frasi":[1]}',
  ]) {
    kept.set('bozza:uno', json);
    expect(readDraft('uno', isDraft), json).toBeNull();
  }
});

test('where there is no storage nothing is kept and nothing breaks', () => {
  const refuse = () => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('sessionStorage', { getItem: refuse, setItem: refuse, removeItem: refuse });
  keepDraft('uno', '{}');
  keepDraft('uno', null);
  expect(readDraft('uno', isDraft)).toBeNull();
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
