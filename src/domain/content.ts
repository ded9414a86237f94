import type { Configuration, Snapshot, StageContent } from '../contract/model.ts';
import { isBlank } from './blank.ts';
import { DEFAULT_TEXTS, IMAGE_SECONDS, PHRASE_GAP, PHRASE_SECONDS, READING } from './limits.ts';
import { eachOf } from './records.ts';

export type { Snapshot } from '../contract/model.ts';

/** Possible trips, in order. */
export const TRIPS = [1, 2] as const;
export type Viaggio = (typeof TRIPS)[number];

/** File facts of a configuration that is only displayed: none known. Their order is part of the hashes of a snapshot and of Piano B. */
export const NO_FILE_FACTS: Omit<Snapshot, 'config' | 'questions'> = {
  poster_url: null,
  light_url: null,
  video_bitrate: null,
  captions: null,
  fuoco: null,
  fuoco_2: null,
  hues: null,
  hues_2: null,
  ticket_pages: null,
  ticket_pages_2: null,
};

/** One of the trips. Texts have their defaults; unconfigured files are null. */
export type Trip = Omit<Extract<StageContent, { stage: 'card' }>, 'stage'> & {
  frasi: string[];
  hues: Snapshot['hues'];
  domande: { domanda_1: string; domanda_2: string } | null;
};

/** Returns one trip. No other code reads the `_2` fields as the second trip. */
export function tripOf(snapshot: Snapshot, viaggio: Viaggio): Trip {
  const { config, questions } = snapshot;
  const first = viaggio === 1;
  const end = first ? '' : '_2';
  return {
    viaggio,
    frasi: shownPhrases(first ? config.frasi : config.frasi_secondo_viaggio),
    immagine_destinazione_url: config[`immagine_destinazione_url${end}`],
    fuoco: snapshot[`fuoco${end}`],
    hues: snapshot[`hues${end}`],
    biglietti_url: config[`biglietti_url${end}`],
    ticket_pages: snapshot[`ticket_pages${end}`],
    titolo_destinazione: textOr(
      config[`titolo_destinazione${end}`],
      DEFAULT_TEXTS[`titolo_destinazione${end}`],
    ),
    titolo_viaggio: textOr(config[`titolo_viaggio${end}`], DEFAULT_TEXTS[`titolo_viaggio${end}`]),
    data_partenza: textOr(config[`data_partenza${end}`], DEFAULT_TEXTS.data),
    data_ritorno: textOr(config[`data_ritorno${end}`], DEFAULT_TEXTS.data),
    testo_istruzioni_biglietti: textOr(
      config[`testo_istruzioni_biglietti${end}`],
      DEFAULT_TEXTS.testo_istruzioni_biglietti,
    ),
    domande: first
      ? bothQuestions(questions.domanda_1, questions.domanda_2)
      : bothQuestions(questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2),
  };
}

/**
 * Returns true if there is a second trip: the administrator's choice. Without one (null), it exists with a phrase that isn't blank, a
 * picture or tickets.
 */
export function hasSecondTrip({ config }: Pick<Snapshot, 'config'>): boolean {
  return (
    config.secondo_viaggio ??
    (shownPhrases(config.frasi_secondo_viaggio).length > 0 ||
      config.immagine_destinazione_url_2 !== null ||
      config.biglietti_url_2 !== null)
  );
}

type Texts = Pick<Snapshot, 'config' | 'questions'>;

/** Fields of a second trip. */
const CONFIG_FIELDS = [
  'frasi_tra_viaggi',
  'frasi_secondo_viaggio',
  'frasi_finali_secondo_viaggio',
  'immagine_destinazione_url_2',
  'biglietti_url_2',
  'titolo_destinazione_2',
  'titolo_viaggio_2',
  'data_partenza_2',
  'data_ritorno_2',
  'testo_istruzioni_biglietti_2',
] as const;
const QUESTION_FIELDS = ['domanda_1_viaggio_2', 'domanda_2_viaggio_2'] as const;

/** Returns true if anything of a second trip is written or uploaded. */
export function hasSecondTripContent({ config, questions }: Texts): boolean {
  const content = [
    ...CONFIG_FIELDS.flatMap((field) => config[field]),
    ...QUESTION_FIELDS.map((field) => questions[field]),
  ];
  return content.some((text) => !isBlank(text));
}

/** Returns true if the visitor sees a second trip. One that is switched on but still empty would be an empty card. */
export const showsSecondTrip = (evening: Texts): boolean =>
  hasSecondTrip(evening) && hasSecondTripContent(evening);

/** Returns the evening without the content of a second trip that is switched off. The stored content stays. */
export function withoutHiddenTrip<E extends Texts>(evening: E): E {
  const { config, questions } = evening;
  if (config.secondo_viaggio !== false) return evening;
  const emptied = eachOf(CONFIG_FIELDS, (field) => (Array.isArray(config[field]) ? [] : null));
  return {
    ...evening,
    config: { ...config, ...emptied },
    questions: { ...questions, ...eachOf(QUESTION_FIELDS, () => null) },
    ...eachOf(['fuoco_2', 'hues_2', 'ticket_pages_2'], () => null),
  };
}

/** Returns the phrases to show, trimmed. Blank ones may be stored (spec 5) but are never shown. */
export function shownPhrases(frasi: readonly string[]): string[] {
  return frasi.map((frase) => frase.trim()).filter((frase) => !isBlank(frase));
}

/** Returns a phrase's time in seconds, within the limits; 6 if the stored value isn't a number (spec 5). */
export function phraseSeconds(stored: number): number {
  return clamped(stored, PHRASE_SECONDS);
}

/**
 * Returns the display time of a phrase in seconds: the chosen time, or its reading time if that is longer.
 * @param chosen the stored seconds; brought within their limits
 * @param exact true if the phrase's list uses exactly the chosen seconds (`frasi_secondi_esatti`)
 */
export function displaySeconds(frase: string, chosen: number, exact: boolean): number {
  const seconds = phraseSeconds(chosen);
  return exact ? seconds : Math.max(seconds, readingSeconds(frase));
}

/** Returns the reading time of a phrase in seconds, at most `READING.maxSeconds`. Characters are code points. */
export function readingSeconds(frase: string): number {
  const { startSeconds, charactersPerSecond, maxSeconds } = READING;
  return Math.min(maxSeconds, startSeconds + [...frase.trim()].length / charactersPerSecond);
}

/** Returns the time of empty sky before a phrase that follows another, in ms. */
export const gapBefore = (frase: string): number =>
  [...frase.trim()].length <= PHRASE_GAP.shortPhraseChars ? PHRASE_GAP.longMs : PHRASE_GAP.ms;

/** Returns the destination picture's time in seconds, within the limits (spec 5). */
export function imageSeconds(stored: number): number {
  return clamped(stored, IMAGE_SECONDS);
}

export function textOr(text: string | null, otherwise: string): string {
  return text === null || text.trim() === '' ? otherwise : text.trim();
}

function clamped(
  value: number,
  { default: otherwise, min, max }: { default: number; min: number; max: number },
): number {
  return Number.isFinite(value) ? Math.min(max, Math.max(min, value)) : otherwise;
}

function bothQuestions(first: string | null, second: string | null): Trip['domande'] {
  const domanda_1 = textOr(first, '');
  const domanda_2 = textOr(second, '');
  return domanda_1 === '' || domanda_2 === '' ? null : { domanda_1, domanda_2 };
}

/**
 * Returns the song's address for a player. A later start is a media fragment, which every browser's player follows as soon as it knows the
 * file.
 */
export function songUrl({
  canzone_url,
  canzone_inizio_secondi,
}: Pick<Configuration, 'canzone_url' | 'canzone_inizio_secondi'>): string | null {
  if (canzone_url === null || canzone_inizio_secondi === 0) return canzone_url;
  return `${canzone_url}#t=${canzone_inizio_secondi}`;
}

/** Returns the start second in a song's address; 0 without one. */
export const songStartOf = (address: string): number => Number(/#t=([\d.]+)$/.exec(address)?.[1] ?? 0);

/** Returns the latest start for a song of this duration, in seconds; one second of it must be left. */
export const latestSongStart = (duration: number): number => Math.max(0, duration - 1);
