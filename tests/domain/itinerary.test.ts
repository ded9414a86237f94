import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasSecondTrip, shownPhrases, tripOf } from '../../src/domain/content.ts';
import { exitPoint } from '../../src/domain/exit-points.ts';
import { itinerary, STAGES, type Step, ticketsForStage } from '../../src/domain/itinerary.ts';
import { snapshotOf } from '../support/evenings.ts';
import { snapshots } from '../support/snapshots.ts';

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

  test('lists the minimum of steps', () => {
    const bare = snapshotOf(
      {
        frasi_pre_video: [' '],
        frasi: [],
        immagine_destinazione_url: null,
        frasi_secondo_viaggio: ['', '\n'],
        immagine_destinazione_url_2: null,
        biglietti_url_2: null,
      },
      { domanda_2: ' ' },
    );
    expect(written(itinerary(bare))).toEqual(['video 1', 'card 1', 'closing 1']);
  });

  test.each([
    ['a phrase', { frasi_secondo_viaggio: ['sì'] }],
    ['a picture', { immagine_destinazione_url_2: '/x' }],
    ['tickets', { biglietti_url_2: '/x' }],
  ])('has a second trip with %s', (_what, one) => {
    const none = { frasi_secondo_viaggio: [' '], immagine_destinazione_url_2: null, biglietti_url_2: null };
    expect(hasSecondTrip(snapshotOf(none))).toBe(false);
    expect(hasSecondTrip(snapshotOf({ ...none, ...one }))).toBe(true);
  });

  test('has no duplicate steps, keeps the trips in order, and ends with the only closing', () => {
    fc.assert(
      fc.property(snapshots(), (snapshot) => {
        const steps = itinerary(snapshot);
        expect(new Set(written(steps)).size).toBe(steps.length);
        const trips = steps.map(({ viaggio }) => viaggio);
        expect(trips).toEqual(trips.toSorted((a, b) => a - b));
        expect(steps.filter(({ stage }) => stage === 'closing')).toEqual(steps.slice(-1));
        expect(steps.at(-1)?.viaggio).toBe(hasSecondTrip(snapshot) ? 2 : 1);
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
        const two = hasSecondTrip(snapshot);
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
