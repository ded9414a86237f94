import { describe, expect, test } from 'vitest';
import {
  checklistSteps,
  isContentBegun,
  isContentComplete,
  nextStep,
  stepAfter,
  stepForPage,
} from '../../src/domain/checklist.ts';
import {
  type Configuration,
  eachField,
  EMPTY_VALUES as HELD_AT_FIRST,
  NO_QUESTIONS,
} from '../../src/domain/configuration.ts';
import { daysUntil } from '../../src/domain/days.ts';
import type { SlotName } from '../../src/domain/media.ts';
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
  ...(['questions_1', 'closing_phrases', 'address', 'rehearsal_none'] as const).map(amber),
  ...(['opening_unset', 'graduation_date'] as const).map(amber),
];
const without = (...done: Reason['id'][]) => AT_FIRST.filter(({ id }) => !done.includes(id));
/** Name of the step that the dashboard's button leads to. */
const next = (reasons: readonly ReasonLike[], config: Partial<Configuration> = {}) =>
  nextStep(checklistSteps(emptyBut(config), reasons, NOTHING))?.name;

describe('checklist of an empty install', () => {
  const scenes = checklistSteps(EMPTY, AT_FIRST, NOTHING);

  test('has twelve steps: whom it is for, the visitor’s order, online, rehearsal and code', () => {
    const names = (which: typeof scenes) => which.map(({ name }) => name).join(' ');
    expect(names(scenes)).toBe(
      'evening pre_phrases video song phrases destination card questions closing online rehearsal code',
    );
    expect(scenes.filter(({ state }) => state !== 'missing')).toEqual([]);
    expect(names(scenes.filter(({ needed }) => needed))).toBe('video phrases code');
    expect([isContentComplete(scenes), isContentBegun(scenes)]).toEqual([false, false]);
    // A stage is drawn only if it has content; the card always has some.
    expect(names(scenes.filter(({ step }) => step !== null))).toBe('card');
  });

  test('goes on from each step to the next missing one, and from the last one nowhere', () => {
    const from = (name: string) =>
      stepAfter(scenes, scenes.find((each) => each.name === name) ?? expect.unreachable())?.name;
    expect(['evening', 'song', 'closing', 'online', 'rehearsal', 'code'].map(from)).toEqual([
      'pre_phrases',
      'phrases',
      'online',
      'rehearsal',
      'code',
      undefined,
    ]);
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
    expect(stepForPage(scenes, '/admin/video-button', '')?.name).toBe('video');
  });
});

test.each<[string, Partial<Configuration>, Reason['id'][]]>([
  ['a name', { recipient_name: 'Giulia' }, []],
  ['a dress', { dress: 'alba' }, []],
  ['an opening', {}, ['opening_unset']],
  ['an occasion', {}, ['graduation_date']],
])('takes the first step as done with %s', (_what, config, done) => {
  expect(next(without(...done), config)).toBe('pre_phrases');
});

test.each<[string, readonly ReasonLike[], string | undefined]>([
  ['an empty evening', AT_FIRST, 'evening'],
  ['a song alone: what comes before was passed over, unless it is needed', without('song'), 'video'],
  ['the video, after which the song comes', without('main_video'), 'song'],
  ['a code made early, which passes nothing over', without('usable_code'), 'evening'],
  ['a rehearsal, which passes over all that is optional', without('rehearsal_none', 'main_video'), 'phrases'],
  ['all that is needed but the code', without('main_video', 'post_phrases', 'closing_phrases'), 'online'],
  [
    'all that is needed, and nothing more',
    [amber('song'), amber('address'), amber('rehearsal_none')],
    'online',
  ],
  ['all that is needed, not rehearsed', [amber('song'), amber('rehearsal_old')], 'rehearsal'],
  ['a song alone missing, before there is a code', [amber('song'), red('usable_code')], 'code'],
  ['a rehearsed evening of its own network', [amber('address')], undefined],
])('offers the next step of %s', (_what, reasons, expected) => expect(next(reasons)).toBe(expected));

test('reports a step with a running upload as working and still needed', () => {
  const scenes = checklistSteps(EMPTY, [red('main_video')], new Set<SlotName>(['video', 'canzone']));
  expect(scenes.find(({ name }) => name === 'video')).toMatchObject({ state: 'working', needed: true });
  // A second song is being uploaded; one exists already.
  expect(scenes.find(({ name }) => name === 'song')).toMatchObject({ state: 'done', needed: false });
  expect(nextStep(scenes)?.name).toBe('video');
  expect(isContentComplete(scenes)).toBe(false);
  // The address and the code are no content.
  const rest = [red('address_here'), red('usable_code')];
  expect(isContentComplete(checklistSteps(EMPTY, rest, NOTHING))).toBe(true);
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
  const off = emptyBut({ frasi_secondo_viaggio: ['E poi?'], secondo_viaggio: false });
  expect(checklistSteps(off, [], NOTHING).some(({ viaggio }) => viaggio === 2)).toBe(false);
  // Picture and tickets share a page, each with a section.
  expect(stepForPage(scenes, '/admin/second-trip-details', 'biglietti')).toMatchObject({
    name: 'card',
    viaggio: 2,
  });
});

test.each([
  ['2026-12-12', '2026-12-12T22:30:00Z', 0],
  // In Italy it is the next day already.
  ['2026-12-12', '2026-12-11T23:30:00Z', 0],
  ['2026-12-11T23:30:00Z', '2026-12-11T12:00:00Z', 1],
  ['2026-12-12', '2026-12-14T12:00:00Z', -2],
])('counts to %s, at %s, %i nights', (day, now, nights) => {
  expect(daysUntil(day, new Date(now))).toBe(nights);
});
