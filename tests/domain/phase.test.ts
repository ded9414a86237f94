import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Viaggio } from '../../src/domain/content.ts';
import {
  type CodeSummary,
  phaseOf,
  summarizeAnswers,
  VISIT_STATES,
  type VisitSummary,
} from '../../src/domain/evening.ts';

const NOW = new Date('2027-02-14T21:00:00.000Z');
const STEPS = [
  { stage: 'video', viaggio: 1 },
  { stage: 'questions', viaggio: 1 },
  { stage: 'questions', viaggio: 2 },
  { stage: 'closing', viaggio: 2 },
] as const;
const visit = (id: string, changes: Partial<VisitSummary> = {}): VisitSummary => ({
  id,
  state: 'ended',
  started_at: '2027-02-14T20:00:00.000Z',
  completed_at: null,
  stages: STEPS,
  ...changes,
});
const seen = { completed_at: '2027-02-14T20:30:00.000Z' };
const answer = (session_id: string, viaggio: Viaggio) => ({
  session_id,
  viaggio,
  risposta_1: true,
  risposta_2: true,
});
const code = (created_at: string, changes: Partial<CodeSummary> = {}): CodeSummary => ({
  created_at,
  attivo: true,
  scadenza: null,
  max_accessi: 1,
  accessi_usati: 0,
  ...changes,
});
const BEFORE = '2027-02-14T19:00:00.000Z';
const AFTER = '2027-02-14T20:45:00.000Z';
const used = code(BEFORE, { accessi_usati: 1 });

describe('phaseOf', () => {
  const left = visit('a', { state: 'paused' });
  const both = [answer('a', 1), answer('a', 2)];
  const asks = (which: (step: (typeof STEPS)[number]) => boolean) =>
    visit('a', { state: 'paused', stages: STEPS.filter(which) });
  const later = visit('b', { ...seen, started_at: '2027-02-14T20:10:00.000Z' });
  const closed = visit('b', { state: 'disconnected' });
  const spent = [code(AFTER, { attivo: false }), code(AFTER, { accessi_usati: 1 })];

  test.each<[string, VisitSummary[], ReturnType<typeof answer>[], CodeSummary[], expected: string]>([
    ['before anybody came', [], [], [code(BEFORE)], 'waiting'],
    [
      'while somebody is in it, whatever was before and whatever code still opens',
      [visit('a', { state: 'open' }), visit('b', { ...seen, started_at: AFTER })],
      [],
      [code(AFTER)],
      'under_way a',
    ],
    ['while it rests', [left], [], [used], 'under_way a'],
    ['once it was seen to its end, the code used up', [visit('a', seen)], [], [used], 'over a'],
    ['once it was seen, with a spare code of before', [visit('a', seen)], [], [used, code(BEFORE)], 'over a'],
    ['once all was answered, the last words unseen', [left], both, [used], 'over a'],
    [
      'likewise where one trip only asks',
      [asks(({ viaggio }) => viaggio === 1)],
      [answer('a', 1)],
      [used],
      'over a',
    ],
    ['likewise when its code was deleted since', [visit('a', { state: 'disconnected' })], both, [], 'over a'],
    ['when only one trip of two was answered', [left], [answer('a', 1)], [used], 'under_way a'],
    ['when somebody else answered', [visit('a')], [answer('b', 1), answer('b', 2)], [used], 'waiting'],
    [
      'when it was left for good, or closed by the administrator',
      [visit('a'), closed],
      [],
      [used],
      'waiting',
    ],
    ['when a code was made since: for another time', [visit('a', seen)], [], [used, code(AFTER)], 'waiting'],
    ['when a code was made since that opens no more', [visit('a', seen)], [], spent, 'over a'],
    ['of several the latest counts', [visit('a', seen), later], [], [used], 'over b'],
  ])('returns the phase %s', (_name, visits, answers, codes, expected) => {
    const found = phaseOf({ visits, answers, codes, opens_at: null }, NOW);
    const current = found.phase === 'under_way' ? found.visits : found.phase === 'over' ? [found.visit] : [];
    expect([found.phase, ...current.map(({ id }) => id)].join(' ')).toBe(expected);
  });

  test('returns waiting before the opening time, even after tests', () => {
    const tested = { visits: [visit('a', seen)], answers: [], codes: [used] };
    const phase = (opens_at: string) => phaseOf({ ...tested, opens_at }, NOW).phase;
    expect(phase('2027-02-14T21:00:00.001Z')).toBe('waiting');
    expect(phase('2027-02-14T21:00:00.000Z')).toBe('over');
  });

  test('reports every open visit, and only visits that can continue', () => {
    const visits = fc.array(
      fc.record({
        id: fc.uuid(),
        state: fc.constantFrom(...VISIT_STATES),
        started_at: fc.constantFrom(BEFORE, AFTER),
        completed_at: fc.constant(null),
        stages: fc.constantFrom([], STEPS),
      }),
    );
    fc.assert(
      fc.property(visits, (visits) => {
        const found = phaseOf({ visits, answers: [], codes: [used], opens_at: null }, NOW);
        const states = visits.map(({ state }) => state);
        if (states.includes('open')) expect(found.phase).toBe('under_way');
        if (found.phase === 'under_way')
          expect(found.visits.every(({ state }) => state === 'open' || state === 'paused')).toBe(true);
      }),
    );
  });
});

test.each([
  [[], null],
  [[[true, true]], 'yes'],
  [
    [
      [true, true],
      [false, true],
    ],
    'mixed',
  ],
  [[[false, false]], 'no'],
])('summarizes the answers %j as %s', (pairs, expected) => {
  const answers = pairs.map(([risposta_1 = false, risposta_2 = false]) => ({ risposta_1, risposta_2 }));
  expect(summarizeAnswers(answers)).toBe(expected);
});
