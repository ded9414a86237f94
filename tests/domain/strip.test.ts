import { describe, expect, test } from 'vitest';
import {
  checklistSteps,
  firstMissingStep,
  isChecklistComplete,
  nextMissingStep,
  stepForPage,
} from '../../src/domain/checklist.ts';
import {
  type Configuration,
  eachField,
  EMPTY_VALUES as HELD_AT_FIRST,
  NO_QUESTIONS,
} from '../../src/domain/configuration.ts';
import { daysUntil } from '../../src/domain/days.ts';
import type { SlotName } from '../../src/domain/media-slots.ts';
import type { Reason } from '../../src/domain/readiness-verdict.ts';
import { snapshotOf } from '../support/evenings.ts';

const NOTHING: ReadonlySet<SlotName> = new Set();

const emptyBut = (config: Partial<Configuration>) =>
  snapshotOf({ ...eachField(HELD_AT_FIRST), ...config }, NO_QUESTIONS);

const EMPTY = emptyBut({});

type ReasonLike = Pick<Reason, 'id' | 'level'>;
const red = (id: Reason['id']): ReasonLike => ({ id, level: 'red' });
const amber = (id: Reason['id']): ReasonLike => ({ id, level: 'amber' });
const AT_FIRST: ReasonLike[] = [
  red('main_video'),
  red('post_phrases'),
  red('usable_code'),
  ...(['pre_phrases', 'song', 'picture_1', 'titles_1', 'tickets_1', 'dates_1'] as const).map(amber),
  ...(['questions_1', 'closing_phrases', 'address'] as const).map(amber),
];

describe('checklist of an empty install', () => {
  const scenes = checklistSteps(EMPTY, AT_FIRST, NOTHING);

  test('has ten steps in the visitor’s order, all missing and some needed', () => {
    const names = (which: typeof scenes) => which.map(({ name }) => name).join(' ');
    expect(names(scenes)).toBe(
      'pre_phrases video song phrases destination card questions closing online code',
    );
    expect(scenes.filter(({ state }) => state !== 'missing')).toEqual([]);
    expect(names(scenes.filter(({ needed }) => needed))).toBe('video phrases code');
    expect(isChecklistComplete(scenes)).toBe(false);
    // A stage is drawn only if it has content; the card always has some.
    expect(names(scenes.filter(({ step }) => step !== null))).toBe('card');
  });

  test('goes to the next missing step, and from the last one back to the first', () => {
    const [first] = scenes;
    expect(firstMissingStep(scenes)).toBe(first);
    const song = scenes.find(({ name }) => name === 'song');
    const code = scenes.at(-1);
    if (song === undefined || code === undefined) throw new Error('No such piece');
    expect(nextMissingStep(scenes, song)?.name).toBe('phrases');
    expect(nextMissingStep(scenes, code)).toBe(first);
  });

  test('selects the step that the address names, else the first missing one of the page', () => {
    expect(stepForPage(scenes, '/admin/frasi', 'frasi')?.name).toBe('phrases');
    expect(stepForPage(scenes, '/admin/frasi', '')?.name).toBe('pre_phrases');
    const later = checklistSteps(
      EMPTY,
      AT_FIRST.filter(({ id }) => id !== 'pre_phrases'),
      NOTHING,
    );
    expect(stepForPage(later, '/admin/frasi', '')?.name).toBe('phrases');
    expect(stepForPage(scenes, '/admin/notifiche', '')).toBeUndefined();
    expect(stepForPage(scenes, '/admin/testi-destinazione', '')?.name).toBe('destination');
    expect(stepForPage(scenes, '/admin/ticket-instruction', '')?.name).toBe('card');
  });
});

test('reports a step with a running upload as working and still needed', () => {
  const scenes = checklistSteps(EMPTY, [red('main_video')], new Set<SlotName>(['video', 'canzone']));
  expect(scenes.find(({ name }) => name === 'video')).toMatchObject({ state: 'working', needed: true });
  // A second song is being uploaded; one exists already.
  expect(scenes.find(({ name }) => name === 'song')).toMatchObject({ state: 'done', needed: false });
  expect(firstMissingStep(scenes)).toBeUndefined();
  expect(isChecklistComplete(scenes)).toBe(false);
});

test('adds the steps of a second trip, and drops the first trip’s closing', () => {
  const scenes = checklistSteps(
    emptyBut({ frasi_secondo_viaggio: ['E poi?'], frasi_tra_viaggi: ['Un momento.'] }),
    [amber('tickets_2')],
    NOTHING,
  );
  const second = scenes.filter(({ viaggio }) => viaggio === 2);
  expect(scenes.some(({ name, viaggio }) => name === 'closing' && viaggio === 1)).toBe(false);
  expect(second.map(({ name }) => name)).toEqual([
    'between_phrases',
    'phrases',
    'destination',
    'card',
    'questions',
    'closing',
  ]);
  expect(second.filter(({ state }) => state === 'missing').map(({ name }) => name)).toEqual(['card']);
  expect(scenes.at(-1)?.name).toBe('code');
  // Picture and tickets share a page, each with a section.
  expect(stepForPage(scenes, '/admin/second-trip-details', 'biglietti')).toMatchObject({
    name: 'card',
    viaggio: 2,
  });
});

test.each([
  ['2026-12-12', '2026-11-23T12:00:00Z', 19],
  ['2026-12-12', '2026-12-12T22:30:00Z', 0],
  // In Italy it is the next day already.
  ['2026-12-12', '2026-12-11T23:30:00Z', 0],
  ['2026-12-11T23:30:00Z', '2026-12-11T12:00:00Z', 1],
  ['2026-03-30', '2026-03-28T12:00:00Z', 2],
  ['2026-12-12', '2026-12-14T12:00:00Z', -2],
])('counts to %s, at %s, %i nights', (day, now, nights) => {
  expect(daysUntil(day, new Date(now))).toBe(nights);
});
