import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Configuration } from '../../src/domain/configuration.ts';
import {
  hasSecondTrip,
  hasSecondTripContent,
  type Snapshot,
  shownPhrases,
  tripOf,
  withoutHiddenTrip,
} from '../../src/domain/content.ts';
import { exitPoint, itinerary, STAGES, type Step, ticketsForStage } from '../../src/domain/itinerary.ts';
import { snapshotOf } from '../support/evenings.ts';
import { snapshots } from '../support/snapshots.ts';

/** True if the visitor sees a second trip: one that is switched on needs content. */
const showsTwo = (snapshot: Snapshot) => hasSecondTrip(snapshot) && hasSecondTripContent(snapshot);

const written = (steps: Step[]) => steps.map(({ stage, viaggio }) => `${stage} ${viaggio}`);

describe('itinerary', () => {
  test('lists all steps of a full evening', () => {
    expect(written(itinerary(snapshotOf()))).toEqual([
      'pre_phrases 1',
      'video 1',
      'phrases 1',
      'destination 1',
      'card 1',
      'questions 1',
      'between_phrases 2',
      'phrases 2',
      'destination 2',
      'card 2',
      'questions 2',
      'closing 2',
    ]);
  });

  test.each<[string, Partial<Configuration>, unset: boolean, shown: 1 | 2]>([
    ['nothing', {}, false, 1],
    ['a blank phrase', { frasi_secondo_viaggio: [' '] }, false, 1],
    ['a title', { titolo_viaggio_2: 'Neve' }, false, 2],
    ['a phrase between the trips', { frasi_tra_viaggi: ['poi'] }, false, 2],
    ['a phrase', { frasi_secondo_viaggio: ['sì'] }, true, 2],
    ['a picture', { immagine_destinazione_url_2: '/x' }, true, 2],
    ['tickets', { biglietti_url_2: '/x' }, true, 2],
  ])(
    'has with %s a second trip as the switch says, or by its content if it is not set',
    (_, content, unset, shown) => {
      const { config, ...rest } = withoutHiddenTrip(snapshotOf({ secondo_viaggio: false }));
      const evenings = [null, true, false].map((secondo_viaggio) => ({
        ...rest,
        config: { ...config, ...content, secondo_viaggio },
      }));
      expect(evenings.map(hasSecondTrip)).toEqual([unset, true, false]);
      const ends = evenings.map((snapshot) => itinerary(snapshot).at(-1)?.viaggio);
      expect(ends).toEqual([unset ? 2 : 1, shown, 1]);
    },
  );

  test('loses by switching the second trip off its content, and nothing else', () => {
    const pictures = { fuoco_2: { x: 0, y: 1 }, hues_2: ['#102030'], ticket_pages_2: ['/x'] };
    const flat = ({ config, questions, ...files }: Snapshot) => ({ ...config, ...questions, ...files });
    const off = { ...snapshotOf({ secondo_viaggio: false }), ...pictures };
    const [stored, shown] = [flat(off), flat(withoutHiddenTrip(off))];
    const isSecond = (name: string) =>
      /_2$|_secondo_viaggio$|^frasi_tra/.test(name) && !['domanda_2', 'secondo_viaggio'].includes(name);
    for (const [name, value] of Object.entries(stored))
      expect({ [name]: Reflect.get(shown, name) }).toEqual({
        [name]: isSecond(name) ? (Array.isArray(value) && name.startsWith('frasi') ? [] : null) : value,
      });
    const on = { ...off, config: { ...off.config, secondo_viaggio: null } };
    expect(withoutHiddenTrip(on)).toBe(on);
  });

  test('has no duplicate steps, keeps the trips in order, and ends with the only closing', () => {
    fc.assert(
      fc.property(snapshots(), (snapshot) => {
        const steps = itinerary(snapshot);
        expect(new Set(written(steps)).size).toBe(steps.length);
        const trips = steps.map(({ viaggio }) => viaggio);
        expect(trips).toEqual(trips.toSorted((a, b) => a - b));
        expect(steps.filter(({ stage }) => stage === 'closing')).toEqual(steps.slice(-1));
        expect(steps.at(-1)?.viaggio).toBe(showsTwo(snapshot) ? 2 : 1);
        for (const viaggio of [1, 2]) {
          const places = steps
            .filter((step) => step.viaggio === viaggio)
            .map(({ stage }) => STAGES.indexOf(stage));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
        }
      }),
    );
  });

  test('contains a step exactly if it has content', () => {
    fc.assert(
      fc.property(snapshots(), (snapshot) => {
        const steps = new Set(written(itinerary(snapshot)));
        const { config } = snapshot;
        const two = showsTwo(snapshot);
        expect(steps.has('pre_phrases 1')).toBe(shownPhrases(config.frasi_pre_video).length > 0);
        expect(steps.has('between_phrases 2')).toBe(two && shownPhrases(config.frasi_tra_viaggi).length > 0);
        for (const viaggio of [1, 2] as const) {
          const trip = tripOf(snapshot, viaggio);
          const exists = viaggio === 1 || two;
          expect(steps.has(`phrases ${viaggio}`)).toBe(exists && trip.frasi.length > 0);
          expect(steps.has(`destination ${viaggio}`)).toBe(exists && trip.immagine_destinazione_url !== null);
          expect(steps.has(`card ${viaggio}`)).toBe(exists);
          expect(steps.has(`questions ${viaggio}`)).toBe(exists && trip.domande !== null);
        }
      }),
    );
  });

  test('maps every step to an exit point, in order within a trip', () => {
    const order = ['during_pre_phrases', 'during_post_phrases', 'during_checkboxes', 'after_checkboxes'];
    const first = itinerary(snapshotOf()).filter(({ viaggio }) => viaggio === 1);
    const points = [...first, { stage: 'closing', viaggio: 1 } as const].map((step) =>
      order.indexOf(exitPoint(step)),
    );
    expect(points).toEqual([0, 0, 1, 1, 1, 2, 3]);
  });
});

test('offers tickets from their card to the end of their trip, and both at the end of the evening', () => {
  const within = itinerary(snapshotOf()).flatMap((step) =>
    ticketsForStage(step).length === 0 ? [] : [`${written([step])[0]}: ${ticketsForStage(step).join(' ')}`],
  );
  expect(within).toEqual(['card 1: 1', 'questions 1: 1', 'card 2: 2', 'questions 2: 2', 'closing 2: 2 1']);
  expect(ticketsForStage({ stage: 'closing', viaggio: 1 })).toEqual([1]);
});
