import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { positionOf, seenPart, wordsFree } from '../../src/domain/focus.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const side = fc.integer({ min: 1, max: 5_000 });
const size = fc.record({ width: side, height: side });

test('whatever the picture and the screen, the point is in view, and what is seen lies inside the picture', () => {
  fc.assert(
    fc.property(size, size, fc.record({ x: share, y: share }), (picture, box, fuoco) => {
      const { left, top, width, height } = seenPart(picture, box, fuoco);
      const within = (low: number, value: number, high: number) =>
        low - 1e-9 <= value && value <= high + 1e-9;
      expect(within(left, fuoco.x, left + width) && within(top, fuoco.y, top + height)).toBe(true);
      expect(within(0, left, 1 - width) && within(0, top, 1 - height)).toBe(true);
    }),
  );
});

test('on a phone held upright a wide picture is cut at its sides, around the point', () => {
  const seen = seenPart({ width: 2_000, height: 1_000 }, { width: 500, height: 1_000 }, { x: 1, y: 0.5 });
  expect(seen).toEqual({ left: 0.75, top: 0, width: 0.25, height: 1 });
});

test.each([
  [null, '50% 50%'],
  [{ x: 0, y: 1 }, '0% 100%'],
  [{ x: 1 / 3, y: 0.125 }, '33.33% 12.5%'],
])('%j lies at %s', (fuoco, expected) => {
  expect(positionOf(fuoco)).toBe(expected);
});

test.each([
  [null, 'bottom'],
  [{ x: 0.9, y: 0.6 }, 'bottom'],
  [{ x: 0.9, y: 0.7 }, 'top'],
  [{ x: 0, y: 1 }, 'top'],
])('with %j words stand at the %s', (fuoco, side) => {
  expect(wordsFree(fuoco)).toBe(side);
});
