import { describe, expect, test } from 'vitest';
import type { Viaggio } from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import { type Answers, answersVerdict, canComplete, visibleVisit } from '../../src/domain/stage-content.ts';
import { twoTrips } from '../experience/support/content.ts';

const snapshot = twoTrips();
const steps = itinerary(snapshot);
const indexOf = (stageName: string, trip: Viaggio) =>
  steps.findIndex(({ stage, viaggio }) => stage === stageName && viaggio === trip);
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

describe('answersVerdict', () => {
  test('refuses answers before the questions are reached, and accepts them from there on', () => {
    expect(answersVerdict(at(QUESTIONS - 1), { viaggio: 1, ...YES })).toBe('ANSWERS_REFUSED');
    expect(answersVerdict(at(QUESTIONS), { viaggio: 1, ...YES })).toBe('new');
    expect(answersVerdict(at(QUESTIONS), { viaggio: 2, ...YES })).toBe('ANSWERS_REFUSED');
    expect(answersVerdict(at(LAST), { viaggio: 2, ...YES })).toBe('new');
  });

  test('refuses answers of a trip without questions', () => {
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
  ])('keeps the first answers: %j is %s', (values, verdict) => {
    expect(answersVerdict(at(LAST, [[1, YES]]), { viaggio: 1, ...values })).toBe(verdict);
  });
});

test('completes a visit only at its last stage with every question answered', () => {
  const both = [
    [1, YES],
    [2, NO],
  ] as const;
  expect(canComplete(at(LAST, both))).toBe(true);
  expect(canComplete(at(LAST - 1, both))).toBe(false);
  expect(canComplete(at(LAST, [[1, YES]]))).toBe(false);
  expect(canComplete(at(LAST, [[2, NO]]))).toBe(false);
});

test('reports to the browser that no further stage exists, and the stored answers', () => {
  const visible = visibleVisit(at(LAST, [[1, YES]]));
  expect(visible).toMatchObject({ complete: true, answers: [{ viaggio: 1, ...YES }] });
  expect(visible.stages).toHaveLength(steps.length);
  expect(visibleVisit(at(0))).toMatchObject({ complete: false, answers: [] });
});

test('reports the name and the dress of the visit’s snapshot', () => {
  const named = twoTrips({ config: { recipient_name: ' Giulia ', dress: 'alba' } });
  expect(visibleVisit({ ...at(0), snapshot: named })).toMatchObject({
    recipient_name: 'Giulia',
    dress: 'alba',
  });
});
