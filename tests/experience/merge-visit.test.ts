import { expect, test } from 'vitest';
import { mergeVisit } from '../../src/experience/merge-visit.ts';
import { oneTrip } from './support/content.ts';
import { serverOf } from './support/server.ts';

const YES = { viaggio: 1, risposta_1: true, risposta_2: true } as const;
const questions = { step: 5, phrase: 0, second: 0 };
const start = serverOf(oneTrip()).visit();
const before = serverOf(oneTrip(), questions).visit();
const after = serverOf(oneTrip(), questions, [YES]).visit();

test('accepts the first visit and a different visit unchanged', () => {
  expect(mergeVisit(null, start)).toBe(start);
  const other = { ...start, session_id: 'other' };
  expect(mergeVisit(after, other)).toBe(other);
});

test('returns the later state, in any order of arrival', () => {
  for (const [one, two] of [
    [start, before],
    [before, after],
    [start, after],
    [after, after],
  ] as const) {
    expect(mergeVisit(one, two)).toEqual(two);
    expect(mergeVisit(two, one)).toEqual(two);
  }
  expect(after.stages.at(-1)).toMatchObject({ stage: 'closing', frase: 'Sì sì', answered: true });
  expect(before.stages.at(-1)).toMatchObject({ stage: 'closing', frase: null, answered: false });
});
