import * as fc from 'fast-check';
import {
  DRESSES,
  fieldsOf,
  PHRASE_LISTS,
  QUESTION_FIELDS,
  type Questions,
} from '../../src/domain/configuration.ts';
import type { Snapshot } from '../../src/domain/content.ts';

/**
 * Any configuration. Every text and address starts with its field's name and is unique, so that its origin can be seen
 * in any output.
 */
export function snapshots(): fc.Arbitrary<Snapshot> {
  return fc.tuple(lists, texts, questions).map(
    ([list, text, questionTexts]) =>
      // The fields come from lists of their names.
      ({
        config: { ...list, ...text },
        questions: questionTexts,
        poster_url: '«poster»',
        light_url: '«leggero»',
        captions: { url: '«sottotitoli»', always: false },
        video_bitrate: 4_000_000,
        fuoco: null,
        fuoco_2: null,
        hues: null,
        hues_2: null,
        ticket_pages: null,
        ticket_pages_2: null,
      }) as Snapshot,
  );
}

const mark = (name: string, n: number | string = '') => `«${name}${n}»`;
const blank = fc.constantFrom('', ' ', '\n\t');

const list = (name: string) =>
  fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constant('text') }, { weight: 1, arbitrary: blank }), {
      maxLength: 4,
    })
    .map((items) => items.map((item, n) => (item === 'text' ? mark(name, n) : item)));

const lists: fc.Arbitrary<object> = fc.record({
  ...Object.fromEntries(PHRASE_LISTS.map((name) => [name, list(name)])),
  frasi_secondi_esatti: fc.subarray([...PHRASE_LISTS]),
});

const maybe = (name: string) => fc.oneof(fc.constant(null), fc.constant(mark(name)));
const TEXTS = fieldsOf('name', 'buttonText', 'file', 'date', 'title', 'instructions');

const finals = fc.record({
  entrambi_si: fc.constantFrom(mark('finale_si'), ''),
  entrambi_no: fc.constantFrom(mark('finale_no'), ' '),
  misto: fc.constantFrom(mark('finale_misto'), ''),
});

const texts = fc.record({
  ...Object.fromEntries(TEXTS.map((name) => [name, maybe(name)])),
  video_url: fc.constant(mark('video_url')),
  dress: fc.constantFrom(...DRESSES),
  secondo_viaggio: fc.constantFrom(null, null, true, false),
  video_playback_rate: fc.constantFrom(0.25, 1, 2),
  durata_frase_secondi: fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constant(Number.NaN)),
  durata_immagine_destinazione_secondi: fc.integer({ min: -5, max: 60 }),
  frasi_finali: fc.option(finals, { nil: null }),
});

const questions = fc.record(
  Object.fromEntries(QUESTION_FIELDS.map((name) => [name, maybe(name)])),
) as unknown as fc.Arbitrary<Questions>;
