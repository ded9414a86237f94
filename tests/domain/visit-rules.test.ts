import { describe, expect, test } from 'vitest';
import type { Answers } from '../../src/domain/closing.ts';
import type { Viaggio } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { answersVerdict, canComplete, visibleVisit } from '../../src/domain/visit-rules.ts';
import { twoTrips } from '../experience/support/content.ts';

const snapshot = twoTrips();
const steps = itinerary(snapshot);
const indexOf = (wanted: string, trip: Viaggio) =>
  steps.findIndex(({ stage, viaggio }) => stage === wanted && viaggio === trip);
const QUESTIONS = indexOf('questions', 1);
const LAST = steps.length - 1;

const YES = { risposta_1: true, risposta_2: true };
const NO = { risposta_1: false, risposta_2: false };
const at = (step: number, answers: readonly (readonly [Viaggio, Answers])[] = []) => ({
  snapshot,
  steps,
  position: { step, phrase: 0, second: 0 },
  answers: new Map(answers),
});

describe('both answers of a trip', () => {
  test('are refused before its questions are reached, and taken from there on', () => {
    expect(answersVerdict(at(QUESTIONS - 1), { viaggio: 1, ...YES })).toBe('ANSWERS_REFUSED');
    expect(answersVerdict(at(QUESTIONS), { viaggio: 1, ...YES })).toBe('new');
    expect(answersVerdict(at(QUESTIONS), { viaggio: 2, ...YES })).toBe('ANSWERS_REFUSED');
    expect(answersVerdict(at(LAST), { viaggio: 2, ...YES })).toBe('new');
  });

  test('of a trip that asks nothing are refused', () => {
    const silent = steps.filter(({ stage }) => stage !== 'questions');
    expect(answersVerdict({ ...at(silent.length - 1), steps: silent }, { viaggio: 1, ...YES })).toBe(
      'ANSWERS_REFUSED',
    );
  });

  test.each([
    [YES, 'repeated'],
    [{ ...YES, risposta_1: false }, 'ANSWERS_CONFLICT'],
    [{ ...YES, risposta_2: false }, 'ANSWERS_CONFLICT'],
    [NO, 'ANSWERS_CONFLICT'],
  ])('stay as they were first given: %j is %s', (given, verdict) => {
    expect(answersVerdict(at(LAST, [[1, YES]]), { viaggio: 1, ...given })).toBe(verdict);
  });
});

test('a visit completes at its last stage with every question answered, not before', () => {
  const both = [
    [1, YES],
    [2, NO],
  ] as const;
  expect(canComplete(at(LAST, both))).toBe(true);
  expect(canComplete(at(LAST - 1, both))).toBe(false);
  expect(canComplete(at(LAST, [[1, YES]]))).toBe(false);
  expect(canComplete(at(LAST, [[2, NO]]))).toBe(false);
});

test('the browser is told when no further stage exists, and what was answered', () => {
  const visible = visibleVisit(at(LAST, [[1, YES]]));
  expect(visible).toMatchObject({ complete: true, answers: [{ viaggio: 1, ...YES }] });
  expect(visible.stages).toHaveLength(steps.length);
  expect(visibleVisit(at(0))).toMatchObject({ complete: false, answers: [] });
});

test.each([
  [null, null],
  ['  ', null],
  [' Giulia ', 'Giulia'],
])('her name, written as %j, is told as %j', (recipient_name, told) => {
  const named = twoTrips({ config: { recipient_name } });
  expect(visibleVisit({ ...at(0), snapshot: named }).recipient_name).toBe(told);
});

test('a visit is told the dress it began with', () => {
  const dressed = twoTrips({ config: { dress: 'alba' } });
  expect(visibleVisit({ ...at(0), snapshot: dressed }).dress).toBe('alba');
});
