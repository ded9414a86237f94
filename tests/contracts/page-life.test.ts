import { expect, test } from 'vitest';
import {
  hasLeft,
  heardFrom,
  isSomebodyElse,
  withFarewell,
} from '../../src/server/features/visit/page-life.ts';

const row = (left_lives: string, life: string | null = null) => ({ left_lives, life });

test('a page that has said farewell is known by its whole id, and no page without one', () => {
  expect([hasLeft(row('a b'), 'b'), hasLeft(row('a b'), 'c'), hasLeft(row('ab'), 'a')]).toEqual([
    true,
    false,
    false,
  ]);
  expect([hasLeft(row(''), undefined), hasLeft(row('a'), undefined)]).toEqual([false, false]);
});

test('somebody else is another page than the one that was heard last', () => {
  expect(isSomebodyElse(row('', 'a'), 'b')).toBe(true);
  expect([row('', 'a'), row('', null)].map((heard) => isSomebodyElse(heard, 'a'))).toEqual([false, false]);
  expect(isSomebodyElse(row('', 'a'), undefined)).toBe(false);
});

test('of farewells the latest twenty are remembered, each once', () => {
  expect(withFarewell(row(''), 'a')).toBe('a');
  expect(withFarewell(row('a b'), 'a')).toBe('b a');
  const many = Array.from({ length: 25 }, (_, n) => `life-${n}`);
  const left = many.reduce((left_lives, life) => withFarewell({ left_lives }, life), '');
  expect(left.split(' ')).toEqual(many.slice(-20));
});

test('who was heard is noted, where the page has an id', () => {
  expect([heardFrom('a'), heardFrom(undefined)]).toEqual([{ life: 'a' }, {}]);
});
