import * as fc from 'fast-check';
import { PHRASE_LISTS, type Questions } from '../../../src/domain/configuration.ts';
import type { Snapshot } from '../../../src/domain/content.ts';
import { twoTrips } from './content.ts';

const phrases = fc.array(
  fc.constantFrom('Ciao', 'Amore', 'Una frase che chiede più tempo per essere letta', '', '   '),
  { maxLength: 3 },
);
const maybe = (text: string) => fc.option(fc.constant(text));
const endings = {
  entrambi_si: fc.constantFrom('Sì', ''),
  entrambi_no: fc.constantFrom('No', ''),
  misto: fc.constantFrom('Sì e no', ' '),
};

const questions: fc.Arbitrary<Questions> = fc.record({
  domanda_1: maybe('Uno?'),
  domanda_2: fc.constant('Due?'),
  domanda_1_viaggio_2: maybe('Tre?'),
  domanda_2_viaggio_2: fc.constant('Quattro?'),
});

const config = fc.record({
  frasi_pre_video: phrases,
  frasi: phrases,
  frasi_finali: fc.option(fc.record(endings)),
  frasi_tra_viaggi: phrases,
  frasi_secondo_viaggio: phrases,
  frasi_finali_secondo_viaggio: phrases,
  frasi_secondi_esatti: fc.subarray([...PHRASE_LISTS]),
  durata_frase_secondi: fc.integer({ min: 3, max: 5 }),
  canzone_url: maybe('/song.mp3'),
  immagine_destinazione_url: maybe('/image.jpg'),
  immagine_destinazione_url_2: maybe('/image-2.jpg'),
  biglietti_url: maybe('/tickets.pdf'),
  biglietti_url_2: maybe('/tickets-2.pdf'),
  durata_immagine_destinazione_secondi: fc.integer({ min: 1, max: 4 }),
});

/** Any evening that an administrator can configure. */
export const anyEvening: fc.Arbitrary<Snapshot> = fc.record({ config, questions }).map(twoTrips);

/** Events of a phone and its network, with their times (ms after the first page was opened). */
export const anyTroubles = fc
  .array(
    fc.record({
      at: fc.nat(100_000),
      what: fc.constantFrom(
        'lost',
        'unanswered',
        'up',
        'hide',
        'show',
        'reload',
        'stale',
        'tap',
        'look',
        'close',
        'retry',
      ),
    }),
    { maxLength: 12 },
  )
  .map((troubles) => troubles.toSorted((a, b) => a.at - b.at));
export type Trouble = { at: number; what: string };
