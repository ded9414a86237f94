import { isBlank } from './blank.ts';
import type { Captions } from './captions.ts';
import type { Configuration, Questions } from './configuration.ts';
import type { Fuoco } from './focus.ts';
import { DEFAULT_TEXTS, GAP, IMAGE_SECONDS, PHRASE_SECONDS, READING } from './limits.ts';

/** The trips there can be, in their order. */
export const TRIPS = [1, 2] as const;
export type Viaggio = (typeof TRIPS)[number];

/** What a visit keeps of the configuration it began with, so that later edits don't break it. */
export type Snapshot = {
  config: Configuration;
  questions: Questions;
  poster_url: string | null;
  light_url: string | null;
  /** The film's captions, where there are some and somebody is to see them. */
  captions: Captions | null;
  /** Bits a second of the film; null where that isn't known. */
  video_bitrate: number | null;
  /** The point of each trip's picture that must stay visible; null for its middle. */
  fuoco: Fuoco | null;
  fuoco_2: Fuoco | null;
  /** The hues drawn from each trip's picture (`skyHues`); null where there is none, or nobody has looked yet. */
  hues: string[] | null;
  hues_2: string[] | null;
  /** The addresses of each trip's ticket pages as pictures; null where there are no tickets, or they aren't drawn yet. */
  ticket_pages: string[] | null;
  ticket_pages_2: string[] | null;
};

/** The files of a configuration that is only looked at: nothing is known of them. */
export const NO_FILE_FACTS: Omit<Snapshot, 'config' | 'questions'> = {
  poster_url: null,
  light_url: null,
  captions: null,
  video_bitrate: null,
  fuoco: null,
  fuoco_2: null,
  hues: null,
  hues_2: null,
  ticket_pages: null,
  ticket_pages_2: null,
};

/** One trip, whichever it is. Texts have their defaults in place; what was not configured is null. */
export type Trip = {
  viaggio: Viaggio;
  frasi: string[];
  immagine_destinazione_url: string | null;
  fuoco: Fuoco | null;
  hues: string[] | null;
  biglietti_url: string | null;
  ticket_pages: string[] | null;
  titolo_destinazione: string;
  titolo_viaggio: string;
  data_partenza: string;
  data_ritorno: string;
  testo_istruzioni_biglietti: string;
  domande: { domanda_1: string; domanda_2: string } | null;
};

/** The only place where the `_2` fields become «the second trip». */
export function tripOf(
  { config, questions, fuoco, fuoco_2, hues, hues_2, ticket_pages, ticket_pages_2 }: Snapshot,
  viaggio: Viaggio,
): Trip {
  const first = viaggio === 1;
  return {
    viaggio,
    frasi: shownPhrases(first ? config.frasi : config.frasi_secondo_viaggio),
    immagine_destinazione_url: first ? config.immagine_destinazione_url : config.immagine_destinazione_url_2,
    fuoco: first ? fuoco : fuoco_2,
    hues: first ? hues : hues_2,
    biglietti_url: first ? config.biglietti_url : config.biglietti_url_2,
    ticket_pages: first ? ticket_pages : ticket_pages_2,
    titolo_destinazione: first
      ? textOr(config.titolo_destinazione, DEFAULT_TEXTS.titolo_destinazione)
      : textOr(config.titolo_destinazione_2, DEFAULT_TEXTS.titolo_destinazione_2),
    titolo_viaggio: first
      ? textOr(config.titolo_viaggio, DEFAULT_TEXTS.titolo_viaggio)
      : textOr(config.titolo_viaggio_2, DEFAULT_TEXTS.titolo_viaggio_2),
    data_partenza: textOr(first ? config.data_partenza : config.data_partenza_2, DEFAULT_TEXTS.data),
    data_ritorno: textOr(first ? config.data_ritorno : config.data_ritorno_2, DEFAULT_TEXTS.data),
    testo_istruzioni_biglietti: textOr(
      first ? config.testo_istruzioni_biglietti : config.testo_istruzioni_biglietti_2,
      DEFAULT_TEXTS.testo_istruzioni_biglietti,
    ),
    domande: first
      ? bothQuestions(questions.domanda_1, questions.domanda_2)
      : bothQuestions(questions.domanda_1_viaggio_2, questions.domanda_2_viaggio_2),
  };
}

/** Is there a second trip at all? A phrase that isn't blank, a picture or tickets make one. */
export function hasSecondTrip({ config }: Pick<Snapshot, 'config'>): boolean {
  return (
    shownPhrases(config.frasi_secondo_viaggio).length > 0 ||
    config.immagine_destinazione_url_2 !== null ||
    config.biglietti_url_2 !== null
  );
}

/** Blank phrases may be stored (spec 5) and are never shown. */
export function shownPhrases(frasi: readonly string[]): string[] {
  return frasi.map((frase) => frase.trim()).filter((frase) => !isBlank(frase));
}

/** A phrase's time in seconds, whatever was stored: inside the limits, 6 when it isn't a number (spec 5). */
export function phraseSeconds(stored: number): number {
  return clamped(stored, PHRASE_SECONDS);
}

/**
 * How long one phrase stays, in seconds: the chosen time, or as long as it takes to be read where that is longer.
 * @param chosen the stored seconds, brought inside their limits
 * @param exact whether its list keeps the chosen seconds (`frasi_secondi_esatti`)
 */
export function displaySeconds(frase: string, chosen: number, exact: boolean): number {
  const seconds = phraseSeconds(chosen);
  return exact ? seconds : Math.max(seconds, readingSeconds(frase));
}

/** How long a phrase takes to be read, in seconds: never more than `READING.maxSeconds`. Characters are code points. */
export function readingSeconds(frase: string): number {
  const { startSeconds, charactersPerSecond, maxSeconds } = READING;
  return Math.min(maxSeconds, startSeconds + [...frase.trim()].length / charactersPerSecond);
}

/** How long the sky is empty before a phrase that follows another, in milliseconds. */
export const gapBefore = (frase: string): number =>
  [...frase.trim()].length <= GAP.shortPhrase ? GAP.longMs : GAP.ms;

/** The destination picture's time in seconds, likewise (spec 5). */
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
 * The song's address for a player: where it starts later than at its beginning that is told as a media fragment, which every browser's player
 * follows by itself as soon as it knows the file.
 */
export function songUrl({
  canzone_url,
  canzone_inizio_secondi,
}: Pick<Configuration, 'canzone_url' | 'canzone_inizio_secondi'>): string | null {
  if (canzone_url === null || canzone_inizio_secondi === 0) return canzone_url;
  return `${canzone_url}#t=${canzone_inizio_secondi}`;
}

/** The second at which a song's address says that it starts. */
export const songStartOf = (address: string): number => Number(/#t=([\d.]+)$/.exec(address)?.[1] ?? 0);

/** Later than this (seconds) a song of this length can't start: what would be left is no song. */
export const latestSongStart = (duration: number): number => Math.max(0, duration - 1);
