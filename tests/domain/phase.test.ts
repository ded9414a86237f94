import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Viaggio } from '../../src/domain/content.ts';
import { gist, type KnownCode, type KnownVisit, phaseOf, VISIT_STATES } from '../../src/domain/phase.ts';

const NOW = new Date('2027-02-14T21:00:00.000Z');
const asking = [
  { stage: 'video', viaggio: 1 },
  { stage: 'questions', viaggio: 1 },
  { stage: 'questions', viaggio: 2 },
  { stage: 'closing', viaggio: 2 },
] as const;
const visit = (id: string, changes: Partial<KnownVisit> = {}): KnownVisit => ({
  id,
  state: 'ended',
  started_at: '2027-02-14T20:00:00.000Z',
  completed_at: null,
  stages: asking,
  ...changes,
});
const seen = { completed_at: '2027-02-14T20:30:00.000Z' };
const answer = (session_id: string, viaggio: Viaggio) => ({
  session_id,
  viaggio,
  risposta_1: true,
  risposta_2: true,
});
const code = (created_at: string, changes: Partial<KnownCode> = {}): KnownCode => ({
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

describe('where the surprise stands', () => {
  type Known = Omit<Parameters<typeof phaseOf>[0], 'opens_at'>;
  test.each<[string, Known, object]>([
    ['before anybody came', { visits: [], answers: [], codes: [code(BEFORE)] }, { phase: 'waiting' }],
    [
      'while somebody is in it, whatever was before and whatever code still opens',
      {
        visits: [visit('a', { state: 'open' }), visit('b', { ...seen, started_at: AFTER })],
        answers: [],
        codes: [code(AFTER)],
      },
      { phase: 'under_way', visits: [{ id: 'a' }] },
    ],
    [
      'while two are',
      {
        visits: [visit('a', { state: 'open' }), visit('b', { state: 'open' })],
        answers: [],
        codes: [used],
      },
      { phase: 'under_way', visits: [{ id: 'a' }, { id: 'b' }] },
    ],
    [
      'while it rests',
      { visits: [visit('a', { state: 'paused' })], answers: [], codes: [used] },
      { phase: 'under_way', visits: [{ id: 'a' }] },
    ],
    [
      'once it was seen to its end, the code used up',
      { visits: [visit('a', seen)], answers: [], codes: [used] },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'once it was seen to its end, with a spare code of before',
      { visits: [visit('a', seen)], answers: [], codes: [used, code(BEFORE)] },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'once all was answered, though the page was closed before the last words',
      {
        visits: [visit('a', { state: 'paused' })],
        answers: [answer('a', 1), answer('a', 2)],
        codes: [used],
      },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'likewise where one trip only asks',
      {
        visits: [visit('a', { state: 'paused', stages: asking.filter(({ viaggio }) => viaggio === 1) })],
        answers: [answer('a', 1)],
        codes: [used],
      },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'likewise where the second trip asks nothing',
      {
        visits: [
          visit('a', {
            state: 'paused',
            stages: asking.filter(({ stage, viaggio }) => stage !== 'questions' || viaggio === 1),
          }),
        ],
        answers: [answer('a', 1)],
        codes: [used],
      },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'likewise when its code was deleted since',
      {
        visits: [visit('a', { state: 'disconnected' })],
        answers: [answer('a', 1), answer('a', 2)],
        codes: [],
      },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'when only one trip of two was answered',
      { visits: [visit('a', { state: 'paused' })], answers: [answer('a', 1)], codes: [used] },
      { phase: 'under_way', visits: [{ id: 'a' }] },
    ],
    [
      'when somebody else answered',
      { visits: [visit('a')], answers: [answer('b', 1), answer('b', 2)], codes: [used] },
      { phase: 'waiting' },
    ],
    [
      'when it was left half way for good, or closed by the administrator',
      { visits: [visit('a'), visit('b', { state: 'disconnected' })], answers: [], codes: [used] },
      { phase: 'waiting' },
    ],
    [
      'when a code was made since: for another time',
      { visits: [visit('a', seen)], answers: [], codes: [used, code(AFTER)] },
      { phase: 'waiting' },
    ],
    [
      'when a code was made since that opens no more',
      {
        visits: [visit('a', seen)],
        answers: [],
        codes: [code(AFTER, { attivo: false }), code(AFTER, { accessi_usati: 1 })],
      },
      { phase: 'over', visit: { id: 'a' } },
    ],
    [
      'of several the latest counts',
      {
        visits: [visit('a', seen), visit('b', { ...seen, started_at: '2027-02-14T20:10:00.000Z' })],
        answers: [],
        codes: [used],
      },
      { phase: 'over', visit: { id: 'b' } },
    ],
  ])('%s', (_name, known, expected) => {
    expect(phaseOf({ ...known, opens_at: null }, NOW)).toMatchObject(expected);
  });

  test('is not begun before the opening, whatever was tried out', () => {
    const tried = { visits: [visit('a', seen)], answers: [], codes: [used] };
    const phase = (opens_at: string) => phaseOf({ ...tried, opens_at }, NOW).phase;
    expect([phase('2027-02-14T21:00:00.001Z'), phase('2027-02-14T21:00:00.000Z')]).toEqual([
      'waiting',
      'over',
    ]);
  });

  test('who is in it is always said; nobody is said to be in it who can’t be', () => {
    const visits = fc.array(
      fc.record({
        id: fc.uuid(),
        state: fc.constantFrom(...VISIT_STATES),
        started_at: fc.constantFrom(BEFORE, AFTER),
        completed_at: fc.constant(null),
        stages: fc.constantFrom([], asking),
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
      [true, true],
    ],
    'yes',
  ],
  [
    [
      [true, true],
      [false, true],
    ],
    'mixed',
  ],
  [[[false, false]], 'no'],
])('the answers %j say %s', (given, expected) => {
  const answers = given.map(([risposta_1 = false, risposta_2 = false]) => ({ risposta_1, risposta_2 }));
  expect(gist(answers)).toBe(expected);
});
