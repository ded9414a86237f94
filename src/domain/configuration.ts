import type { Configuration, Questions } from '../contract/model.ts';
import { IMAGE_SECONDS, PHRASE_SECONDS } from './limits.ts';
import { eachOf, keysOf } from './records.ts';

export type { Configuration, FrasiFinali, Questions } from '../contract/model.ts';

/** Colour themes of the evening; the first is the default. Each is one file of tokens in `src/web/dresses`. */
export const DRESSES = ['notte', 'alba'] as const;
export type Dress = (typeof DRESSES)[number];

/**
 * Colours of the phone's own bars above the access screen, by day and by night: the grounds of the dress's tokens, needed before a style
 * sheet is loaded.
 */
export const BARS: Record<Dress, { day: string; night: string }> = {
  notte: { day: '#fbeee8', night: '#170d16' },
  alba: { day: '#f1f5f3', night: '#07161f' },
};

/** Returns the dress of this name; the first one if the name is missing or unknown. */
export function parseDress(name: string | null | undefined): Dress {
  return DRESSES.find((dress) => dress === name) ?? DRESSES[0];
}

/** The configuration's lists of phrases. */
export const PHRASE_LISTS = [
  'frasi_pre_video',
  'frasi',
  'frasi_tra_viaggi',
  'frasi_secondo_viaggio',
  'frasi_finali_secondo_viaggio',
] as const;
export type PhraseList = (typeof PHRASE_LISTS)[number];

/**
 * The one list of the `admin_config` fields that make up an evening (spec 3), each with its kind. Types, schemas, table columns, defaults
 * and the tests' rows follow from it by `eachField`; only a migration is written by hand.
 */
const FIELDS = {
  /** Recipient's name: «Come si chiama» (decision 024). */
  recipient_name: 'name',
  /** Colour theme of the evening (decision 058). */
  dress: 'dress',
  /** Soft sounds in addition to the song: wax, paper, the destination. */
  sound_effects: 'switch',
  /** The administrator's choice; null until there is one (`hasSecondTrip`). */
  secondo_viaggio: 'optionalSwitch',
  ...fillRecord(PHRASE_LISTS, 'phrases'),
  video_url: 'file',
  video_playback_rate: 'playbackRate',
  video_button_text: 'buttonText',
  frasi_finali: 'closing',
  durata_frase_secondi: 'phraseSeconds',
  /** Lists whose phrases stay exactly the chosen seconds, regardless of their length. */
  frasi_secondi_esatti: 'exactLists',
  canzone_url: 'file',
  /** Second of the song at which it starts. */
  canzone_inizio_secondi: 'songStart',
  immagine_destinazione_url: 'file',
  immagine_destinazione_url_2: 'file',
  biglietti_url: 'file',
  biglietti_url_2: 'file',
  data_partenza: 'date',
  data_ritorno: 'date',
  data_partenza_2: 'date',
  data_ritorno_2: 'date',
  titolo_destinazione: 'title',
  titolo_destinazione_2: 'title',
  titolo_viaggio: 'title',
  titolo_viaggio_2: 'title',
  durata_immagine_destinazione_secondi: 'imageSeconds',
  testo_istruzioni_biglietti: 'instructions',
  testo_istruzioni_biglietti_2: 'instructions',
} as const;

type Fields = typeof FIELDS;
export type ConfigurationField = keyof Fields;
type Kind = Fields[ConfigurationField];

/** Names of the fields of some kinds. */
export type FieldOf<K extends Kind> = {
  [F in ConfigurationField]: Fields[F] extends K ? F : never;
}[ConfigurationField];

/** One value per field, typed by the field's kind. */
export type PerField<ByKind extends Record<Kind, unknown>> = {
  [F in ConfigurationField]: ByKind[Fields[F]];
};

/** Values before the first save, by kind. */
export const EMPTY_VALUES: { readonly [K in Kind]: Configuration[FieldOf<K>] } = {
  name: null,
  dress: DRESSES[0],
  switch: true,
  optionalSwitch: null,
  file: null,
  playbackRate: 1,
  buttonText: null,
  phrases: [],
  closing: null,
  phraseSeconds: PHRASE_SECONDS.default,
  songStart: 0,
  exactLists: [],
  date: null,
  title: null,
  imageSeconds: IMAGE_SECONDS.default,
  instructions: null,
};

/** Creates a record with a value for each field from one value per kind. */
export function eachField<ByKind extends Record<Kind, unknown>>(byKind: ByKind): PerField<ByKind> {
  const record: object = Object.fromEntries(
    Object.entries(FIELDS).map(([field, kind]) => [field, byKind[kind]]),
  );
  return record as PerField<ByKind>;
}

/** Returns the names of all fields of some kinds, in the order of the list. */
export function fieldsOf<K extends Kind>(...kinds: K[]): FieldOf<K>[] {
  const requested = new Set<string>(kinds);
  return keysOf(FIELDS).filter((field): field is FieldOf<K> => requested.has(FIELDS[field]));
}

/** Fields of the only row of `checkbox_questions` (spec 3). */
export const QUESTION_FIELDS = [
  'domanda_1',
  'domanda_2',
  'domanda_1_viaggio_2',
  'domanda_2_viaggio_2',
] as const;

/** Questions before the first save. */
export const NO_QUESTIONS: Questions = fillRecord(QUESTION_FIELDS, null);

/** Creates a record with the same value for each name. */
export function fillRecord<N extends string, const V>(names: readonly N[], value: V): Record<N, V> {
  return eachOf(names, () => value);
}
