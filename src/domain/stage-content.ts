import type { Captions } from './captions.ts';
import { type Answers, closingPhrase } from './closing.ts';
import type { PhraseList } from './configuration.ts';
import {
  imageSeconds,
  phraseSeconds,
  type Snapshot,
  shownPhrases,
  songUrl,
  textOr,
  tripOf,
  type Viaggio,
} from './content.ts';
import type { Fuoco } from './focus.ts';
import { type Hues, skyHues } from './hues.ts';
import { itinerary, type Step } from './itinerary.ts';
import { DEFAULT_TEXTS, PLAYBACK_RATES } from './limits.ts';
import { type Position, visibleStepCount } from './position.ts';

/** `secondi_esatti`: each phrase stays exactly this time; otherwise at least this time and its reading time. */
type Phrases = { frasi: string[]; durata_frase_secondi: number; secondi_esatti: boolean };

/** Content of a stage: everything it needs, and nothing of any other stage. */
export type StageContent =
  | ({ stage: 'pre_phrases'; viaggio: 1 } & Phrases)
  | {
      stage: 'video';
      viaggio: 1;
      video_url: string;
      poster_url: string | null;
      /** Light version of the film for a slow connection, if there is one. */
      light_url: string | null;
      captions: Captions | null;
      /** Bits per second of the full film; null if unknown. */
      video_bitrate: number | null;
      video_playback_rate: number;
      video_button_text: string;
    }
  | ({ stage: 'between_phrases'; viaggio: 2 } & Phrases)
  | ({ stage: 'phrases'; viaggio: Viaggio } & Phrases)
  | {
      stage: 'destination';
      viaggio: Viaggio;
      immagine_destinazione_url: string;
      fuoco: Fuoco | null;
      /** Sky colours from the picture, used until this trip ends; null for the dress's own. */
      hues: Hues | null;
      titolo_destinazione: string;
      titolo_viaggio: string;
      durata_immagine_destinazione_secondi: number;
    }
  | {
      stage: 'card';
      viaggio: Viaggio;
      /** Picture of the destination stage; null if the trip has none. */
      immagine_destinazione_url: string | null;
      fuoco: Fuoco | null;
      titolo_destinazione: string;
      titolo_viaggio: string;
      data_partenza: string;
      data_ritorno: string;
      biglietti_url: string | null;
      /** Pages of the tickets as pictures, in order; null until they are rendered. */
      ticket_pages: string[] | null;
      testo_istruzioni_biglietti: string;
    }
  | { stage: 'questions'; viaggio: Viaggio; domanda_1: string; domanda_2: string }
  | { stage: 'closing'; viaggio: 1; frase: string | null; answered: boolean }
  | ({ stage: 'closing'; viaggio: 2 } & Phrases);

export type StoredAnswers = ReadonlyMap<Viaggio, Answers>;

/**
 * Returns the content of the stages reached and of the next one, in order. Later content never leaves the server.
 * The closing phrase depends on the answers and is null until they are stored.
 */
export function visibleContent(
  snapshot: Snapshot,
  position: Position,
  answers: StoredAnswers,
): StageContent[] {
  const steps = itinerary(snapshot);
  return steps
    .slice(0, visibleStepCount(steps, position))
    .map((step) => stageContent(snapshot, step, answers));
}

/** Returns the song's address as soon as the stage after the video is visible, else null. The song starts when the video ends. */
export function visibleSong(snapshot: Snapshot, position: Position): string | null {
  const steps = itinerary(snapshot);
  const video = steps.findIndex((step) => step.stage === 'video');
  return visibleStepCount(steps, position) > video + 1 ? songUrl(snapshot.config) : null;
}

/** Returns the content of one stage. */
export function stageContent(snapshot: Snapshot, step: Step, answers: StoredAnswers): StageContent {
  const { config } = snapshot;
  const trip = tripOf(snapshot, step.viaggio);
  switch (step.stage) {
    case 'pre_phrases':
      return {
        stage: step.stage,
        viaggio: 1,
        ...phrasesOf(snapshot, 'frasi_pre_video'),
      };
    case 'between_phrases':
      return {
        stage: step.stage,
        viaggio: 2,
        ...phrasesOf(snapshot, 'frasi_tra_viaggi'),
      };
    case 'phrases':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        ...phrasesOf(snapshot, step.viaggio === 1 ? 'frasi' : 'frasi_secondo_viaggio'),
      };
    case 'video':
      return videoContent(snapshot);
    case 'destination':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        immagine_destinazione_url: trip.immagine_destinazione_url ?? '',
        fuoco: trip.fuoco,
        hues: skyHues(trip.hues),
        titolo_destinazione: trip.titolo_destinazione,
        titolo_viaggio: trip.titolo_viaggio,
        durata_immagine_destinazione_secondi: imageSeconds(config.durata_immagine_destinazione_secondi),
      };
    case 'card':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        immagine_destinazione_url: trip.immagine_destinazione_url,
        fuoco: trip.fuoco,
        titolo_destinazione: trip.titolo_destinazione,
        titolo_viaggio: trip.titolo_viaggio,
        data_partenza: trip.data_partenza,
        data_ritorno: trip.data_ritorno,
        biglietti_url: trip.biglietti_url,
        ticket_pages: trip.ticket_pages,
        testo_istruzioni_biglietti: trip.testo_istruzioni_biglietti,
      };
    case 'questions':
      return {
        stage: step.stage,
        viaggio: step.viaggio,
        domanda_1: trip.domande?.domanda_1 ?? '',
        domanda_2: trip.domande?.domanda_2 ?? '',
      };
    case 'closing':
      return closingContent(snapshot, step.viaggio, answers);
  }
}

function phrasesOf({ config }: Snapshot, list: PhraseList): Phrases {
  return {
    frasi: shownPhrases(config[list]),
    durata_frase_secondi: phraseSeconds(config.durata_frase_secondi),
    secondi_esatti: config.frasi_secondi_esatti.includes(list),
  };
}

function videoContent({ config, poster_url, light_url, video_bitrate, captions }: Snapshot): StageContent {
  const rate = PLAYBACK_RATES.find((allowed) => allowed === config.video_playback_rate) ?? 1;
  return {
    stage: 'video',
    viaggio: 1,
    video_url: config.video_url ?? '',
    poster_url,
    light_url,
    captions,
    video_bitrate,
    video_playback_rate: rate,
    video_button_text: textOr(config.video_button_text, DEFAULT_TEXTS.video_button_text),
  };
}

function closingContent(snapshot: Snapshot, viaggio: Viaggio, answers: StoredAnswers): StageContent {
  const { config } = snapshot;
  if (viaggio === 2)
    return { stage: 'closing', viaggio, ...phrasesOf(snapshot, 'frasi_finali_secondo_viaggio') };
  const stored = answers.get(1) ?? null;
  return {
    stage: 'closing',
    viaggio,
    frase: closingPhrase(config.frasi_finali, stored),
    answered: stored !== null,
  };
}
