import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Viaggio } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { advance, type Position, START, visibleStepCount } from '../../src/domain/stage-content.ts';
import { snapshots } from '../support/snapshots.ts';

const positions: fc.Arbitrary<Position> = fc.record({
  step: fc.oneof(fc.integer({ min: 0, max: 13 }), fc.constantFrom(99, 10 ** 9)),
  phrase: fc.nat(10),
  second: fc.double({ min: 0, max: 500, noNaN: true }),
});
const answers = fc.subarray<Viaggio>([1, 2]).map((trips) => new Set(trips));
const compare = (a: Position, b: Position) => a.step - b.step || a.phrase - b.phrase || a.second - b.second;

describe('advance', () => {
  test('never moves back, more than one step ahead, or out of the itinerary, for any reports', () => {
    fc.assert(
      fc.property(
        snapshots(),
        fc.array(fc.tuple(positions, answers), { maxLength: 40 }),
        (snapshot, reports) => {
          const steps = itinerary(snapshot);
          let now = START;
          for (const [reported, answered] of reports) {
            const moved = advance(steps, now, reported, answered);
            if (moved.kind !== 'moved') continue;
            expect(compare(moved.position, now)).toBeGreaterThan(0);
            expect(moved.position).toEqual(reported);
            expect(moved.position.step - now.step).toBeLessThanOrEqual(1);
            expect(moved.position.step).toBeLessThan(steps.length);
            now = moved.position;
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  test('passes questions only with their trip’s answers', () => {
    fc.assert(
      fc.property(snapshots(), answers, (snapshot, answered) => {
        const steps = itinerary(snapshot);
        steps.forEach(({ stage, viaggio }, step) => {
          const next = { step: step + 1, phrase: 0, second: 0 };
          const moved = advance(steps, { step, phrase: 0, second: 0 }, next, answered);
          const held = stage === 'questions' && !answered.has(viaggio);
          expect(moved.kind).toBe(held || step === steps.length - 1 ? 'refused' : 'moved');
        });
      }),
    );
  });

  test('moves from the first step to the last one by one, with all answers', () => {
    fc.assert(
      fc.property(snapshots(), (snapshot) => {
        const steps = itinerary(snapshot);
        let now = START;
        while (now.step < steps.length - 1) {
          const moved = advance(steps, now, { step: now.step + 1, phrase: 0, second: 0 }, new Set([1, 2]));
          if (moved.kind !== 'moved') throw new Error(`stuck at ${now.step}`);
          now = moved.position;
        }
        expect(visibleStepCount(steps, now)).toBe(steps.length);
      }),
    );
  });

  test.each([
    ['a later phrase', { step: 1, phrase: 3, second: 0 }, 'moved'],
    ['a later second of the same', { step: 1, phrase: 2, second: 6 }, 'moved'],
    ['the same', { step: 1, phrase: 2, second: 5 }, 'kept'],
    ['an earlier phrase, later in it', { step: 1, phrase: 1, second: 9 }, 'kept'],
    ['an earlier step, later in it', { step: 0, phrase: 9, second: 9 }, 'kept'],
  ])('compares positions: %s', (_what, reported, kind) => {
    const steps = itinerary(fc.sample(snapshots(), { seed: 1, numRuns: 1 })[0]!);
    expect(advance(steps, { step: 1, phrase: 2, second: 5 }, reported, new Set()).kind).toBe(kind);
  });
});
