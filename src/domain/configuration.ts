import { DRESSES, type Dress } from './dresses.ts';
import { IMAGE_SECONDS, PHRASE_SECONDS } from './limits.ts';
import { eachOf, keysOf } from './records.ts';

export type FrasiFinali = { entrambi_si: string; entrambi_no: string; misto: string };

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
 * The one list of the fields of `admin_config` a visitor's evening is made of (spec 3), each with its kind. Type, schemas, columns of the
 * table's type, defaults and the tests' rows follow from it by `eachField`; only a migration is written by hand.
 */
const FIELDS = {
  /** Of whom the evening is for: «Come si chiama» (decision 063). */
  recipient_name: 'name',
  /** What the evening wears (decision 060). */
  dress: 'dress',
  /** Soft sounds beside the song: wax, paper, the destination. */
  sound_effects: 'switch',
  ...fillRecord(PHRASE_LISTS, 'phrases'),
  video_url: 'file',
  video_playback_rate: 'playbackRate',
  video_button_text: 'buttonText',
  frasi_finali: 'closing',
  durata_frase_secondi: 'phraseSeconds',
  /** The lists whose phrases stay exactly the chosen seconds, however long they are. */
  frasi_secondi_esatti: 'exactLists',
  canzone_url: 'file',
  /** The second of the song at which it starts. */
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

/** The names of the fields of some kinds. */
export type FieldOf<K extends Kind> = {
  [F in ConfigurationField]: Fields[F] extends K ? F : never;
}[ConfigurationField];

/** Something for each field, by its kind. */
export type PerField<ByKind extends Record<Kind, unknown>> = {
  [F in ConfigurationField]: ByKind[Fields[F]];
};

/** What a field of each kind holds. Dates are free text. */
type FieldValues = {
  name: string | null;
  dress: Dress;
  switch: boolean;
  file: string | null;
  playbackRate: number;
  buttonText: string | null;
  phrases: string[];
  closing: FrasiFinali | null;
  phraseSeconds: number;
  songStart: number;
  exactLists: PhraseList[];
  date: string | null;
  title: string | null;
  imageSeconds: number;
  instructions: string | null;
};

/** What a field of each kind holds before anything was saved. */
export const EMPTY_VALUES: Readonly<FieldValues> = {
  name: null,
  dress: DRESSES[0],
  switch: true,
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

/** What a visitor's evening is made of. */
export type Configuration = PerField<FieldValues>;

/** Makes something for every field of the configuration out of one thing for every kind of field. */
export function eachField<ByKind extends Record<Kind, unknown>>(byKind: ByKind): PerField<ByKind> {
  const made: object = Object.fromEntries(
    Object.entries(FIELDS).map(([field, kind]) => [field, byKind[kind]]),
  );
  return made as PerField<ByKind>;
}

/** The names of all fields of some kinds, in the order of the list. */
export function fieldsOf<K extends Kind>(...kinds: K[]): FieldOf<K>[] {
  const wanted = new Set<string>(kinds);
  return keysOf(FIELDS).filter((field): field is FieldOf<K> => wanted.has(FIELDS[field]));
}

/** The fields of the one row of `checkbox_questions` (spec 3). */
export const QUESTION_FIELDS = [
  'domanda_1',
  'domanda_2',
  'domanda_1_viaggio_2',
  'domanda_2_viaggio_2',
] as const;
export type Questions = Record<(typeof QUESTION_FIELDS)[number], string | null>;

/** Before anything was asked. */
export const NO_QUESTIONS: Questions = fillRecord(QUESTION_FIELDS, null);

/** The same for each of these names. */
export function fillRecord<N extends string, const V>(names: readonly N[], value: V): Record<N, V> {
  return eachOf(names, () => value);
}
