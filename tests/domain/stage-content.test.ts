import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stageContentSchema } from '../../src/contract/model.ts';
import {
  displaySeconds,
  imageSeconds,
  phraseSeconds,
  songStartOf,
  songUrl,
  type Viaggio,
} from '../../src/domain/content.ts';
import { itinerary } from '../../src/domain/itinerary.ts';
import {
  type Answers,
  closingPhrase,
  type Position,
  type StageContent,
  type StoredAnswers,
  stageContent,
  visibleContent,
  visibleSong,
  visibleStepCount,
} from '../../src/domain/stage-content.ts';
import { snapshotOf } from '../support/evenings.ts';
import { snapshots } from '../support/snapshots.ts';

const yesNo = fc.record({ risposta_1: fc.boolean(), risposta_2: fc.boolean() });
const stored: fc.Arbitrary<StoredAnswers> = fc
  .tuple(fc.option(yesNo), fc.option(yesNo))
  .map(
    (pair) =>
      new Map(
        pair.flatMap((pairAnswers, n): [Viaggio, Answers][] =>
          pairAnswers ? [[n === 0 ? 1 : 2, pairAnswers]] : [],
        ),
      ),
  );

/** Returns every marked text in a value that leaves the server. */
const marks = (value: unknown) => new Set(JSON.stringify(value).match(/«[^»]*»/g) ?? []);
const at = (step: number): Position => ({ step, phrase: 0, second: 0 });

describe('visibleContent', () => {
  test('contains the stages reached and the next, and no text of a later one', () => {
    fc.assert(
      fc.property(snapshots(), stored, fc.nat(12), (snapshot, answers, place) => {
        const steps = itinerary(snapshot);
        const position = at(Math.min(place, steps.length - 1));
        const visible = visibleContent(snapshot, position, answers);
        expect(visible).toHaveLength(Math.min(steps.length, position.step + 2));
        const later = steps.slice(visible.length).map((step) => stageContent(snapshot, step, answers));
        const shown = marks(visible);
        for (const mark of marks(later)) {
          // A trip's card repeats its titles and its picture, which are no secret once shown.
          const viaggio = mark.endsWith('_2»') ? 2 : 1;
          const titled = visible.some(
            (content) => 'titolo_viaggio' in content && content.viaggio === viaggio,
          );
          expect(shown.has(mark), mark).toBe(/^«(titolo|immagine)/.test(mark) && titled);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('only grows along the way', () => {
    fc.assert(
      fc.property(snapshots(), stored, (snapshot, answers) => {
        const steps = itinerary(snapshot);
        let before: StageContent[] = [];
        for (let step = 0; step < steps.length; step += 1) {
          const visible = visibleContent(snapshot, at(step), answers);
          expect(visible.slice(0, before.length)).toEqual(before);
          before = visible;
        }
        expect(before.map(({ stage, viaggio }) => ({ stage, viaggio }))).toEqual(steps);
      }),
    );
  });

  test('matches the wire’s schema in each stage, and shows nothing blank', () => {
    fc.assert(
      fc.property(snapshots(), stored, (snapshot, answers) => {
        for (const step of itinerary(snapshot)) {
          const content = stageContent(snapshot, step, answers);
          expect(stageContentSchema.parse(content)).toEqual(content);
          if ('frasi' in content) for (const frase of content.frasi) expect(frase.trim()).not.toBe('');
          if (content.stage === 'destination' || content.stage === 'card') {
            expect(content.titolo_destinazione).not.toBe('');
            expect(content.titolo_viaggio).not.toBe('');
          }
        }
      }),
    );
  });

  test('has the texts of each stage in their place, for a full evening', () => {
    const snapshot = snapshotOf();
    const firsts = ['prima-uno', '/api/media/a', 'dopo-uno', 'meta-uno', '/api/media/e', 'domanda-uno'];
    const seconds = ['tra-uno', 'secondo-uno', 'meta-due', '/api/media/f', 'domanda-tre', 'addio-uno'];
    const order = [...firsts, ...seconds];
    for (let step = 0; step < order.length; step += 1) {
      const text = JSON.stringify(visibleContent(snapshot, at(step), new Map()));
      order.forEach((sign, place) =>
        expect(text.includes(sign), `${sign} at ${step}`).toBe(place <= step + 1),
      );
    }
  });
});

describe('closingPhrase', () => {
  const frasi_finali = { entrambi_si: 'si', entrambi_no: 'no', misto: 'misto' };

  test.each([
    [true, true, 'si'],
    [false, false, 'no'],
    [true, false, 'misto'],
    [false, true, 'misto'],
  ])('returns for %s and %s «%s»', (risposta_1, risposta_2, phrase) => {
    expect(closingPhrase(frasi_finali, { risposta_1, risposta_2 })).toBe(phrase);
  });

  test('returns null without answers, without phrases, or for a blank phrase', () => {
    expect(closingPhrase(frasi_finali, null)).toBeNull();
    expect(closingPhrase(null, { risposta_1: true, risposta_2: true })).toBeNull();
    expect(
      closingPhrase({ ...frasi_finali, misto: ' ' }, { risposta_1: true, risposta_2: false }),
    ).toBeNull();
  });

  test('leaves the server only with stored answers, and only the one phrase', () => {
    fc.assert(
      fc.property(snapshots(), stored, (snapshot, answers) => {
        const last = itinerary(snapshot).length - 1;
        const shown = [...marks(visibleContent(snapshot, at(last), answers))].filter((mark) =>
          mark.startsWith('«finale'),
        );
        expect(shown.length).toBeLessThanOrEqual(answers.has(1) ? 1 : 0);
      }),
    );
  });
});

describe('song', () => {
  test('is visible once the stage after the video is', () => {
    fc.assert(
      fc.property(snapshots(), fc.nat(12), (snapshot, place) => {
        const steps = itinerary(snapshot);
        const position = at(Math.min(place, steps.length - 1));
        const video = steps.findIndex(({ stage }) => stage === 'video');
        const known = visibleStepCount(steps, position) > video + 1;
        expect(visibleSong(snapshot, position)).toBe(known ? songUrl(snapshot.config) : null);
      }),
    );
  });

  test('has its start in the address, unless it starts at the beginning', () => {
    const of = (canzone_inizio_secondi: number) =>
      songUrl({ canzone_url: '/api/media/a.mp3', canzone_inizio_secondi }) ?? '';
    expect([of(0), of(12.5)]).toEqual(['/api/media/a.mp3', '/api/media/a.mp3#t=12.5']);
    expect([of(0), of(12.5)].map(songStartOf)).toEqual([0, 12.5]);
    expect(songUrl({ canzone_url: null, canzone_inizio_secondi: 3 })).toBeNull();
  });
});

describe('display times', () => {
  test('stay within their limits for any stored number', () => {
    fc.assert(
      fc.property(fc.double(), (storedNumber) => {
        expect(phraseSeconds(storedNumber)).toSatisfy((seconds: number) => seconds >= 3 && seconds <= 15);
        expect(imageSeconds(storedNumber)).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 30);
      }),
    );
    expect([phraseSeconds(Number.NaN), imageSeconds(Number.NaN), phraseSeconds(7), imageSeconds(0)]).toEqual([
      6, 5, 7, 1,
    ]);
  });

  test('are the chosen time, but at least the reading time', () => {
    const long = 'Una riga.\n'.repeat(25);
    expect(displaySeconds('Ciao', 6, false)).toBe(6);
    expect(displaySeconds('x'.repeat(150), 6, false)).toBe(14.5);
    expect(displaySeconds('❤️'.repeat(75), 6, false)).toBe(14.5);
    expect(displaySeconds('x'.repeat(2_000), 6, false)).toBe(30);
    expect(displaySeconds(`  ${'x'.repeat(60)} \n`, 3, false)).toBe(7);
    expect(displaySeconds(long, 7, true)).toBe(7);
    expect(displaySeconds(long, 99, true)).toBe(15);
  });

  test('are exact for the named lists', () => {
    const snapshot = snapshotOf({ frasi_secondi_esatti: ['frasi', 'frasi_finali_secondo_viaggio'] });
    const exact = itinerary(snapshot)
      .map((step) => stageContent(snapshot, step, new Map()))
      .flatMap((content) =>
        'frasi' in content ? [`${content.stage} ${content.viaggio}: ${content.secondi_esatti}`] : [],
      );
    expect(exact).toEqual([
      'pre_phrases 1: false',
      'phrases 1: true',
      'between_phrases 2: false',
      'phrases 2: false',
      'closing 2: true',
    ]);
  });
});
