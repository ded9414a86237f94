import type { Configuration, Questions } from '../../src/domain/configuration.ts';
import type { Snapshot } from '../../src/domain/content.ts';

export const mediaUrl = (sign: string, extension: string) => `/api/media/${sign.repeat(32)}.${extension}`;

/** A complete evening with two trips. Every text and address is unique, so that a leak can be found. */
export const FULL_CONFIGURATION: Configuration = {
  recipient_name: 'nome-suo',
  dress: 'notte',
  sound_effects: false,
  secondo_viaggio: null,
  video_url: mediaUrl('a', 'mp4'),
  video_playback_rate: 1,
  video_button_text: 'Comincia',
  frasi_pre_video: ['prima-uno', 'prima-due'],
  frasi: ['dopo-uno', 'dopo-due'],
  frasi_finali: { entrambi_si: 'finale-si', entrambi_no: 'finale-no', misto: 'finale-misto' },
  frasi_tra_viaggi: ['tra-uno'],
  frasi_secondo_viaggio: ['secondo-uno', 'secondo-due'],
  frasi_finali_secondo_viaggio: ['addio-uno', 'addio-due'],
  durata_frase_secondi: 6,
  frasi_secondi_esatti: [],
  canzone_url: mediaUrl('b', 'mp3'),
  canzone_inizio_secondi: 0,
  immagine_destinazione_url: mediaUrl('c', 'jpg'),
  immagine_destinazione_url_2: mediaUrl('d', 'jpg'),
  biglietti_url: mediaUrl('e', 'pdf'),
  biglietti_url_2: mediaUrl('f', 'png'),
  data_partenza: 'partenza-uno',
  data_ritorno: 'ritorno-uno',
  data_partenza_2: 'partenza-due',
  data_ritorno_2: 'ritorno-due',
  titolo_destinazione: 'meta-uno',
  titolo_destinazione_2: 'meta-due',
  titolo_viaggio: 'viaggio-uno',
  titolo_viaggio_2: 'viaggio-due',
  durata_immagine_destinazione_secondi: 5,
  testo_istruzioni_biglietti: 'istruzioni-uno',
  testo_istruzioni_biglietti_2: 'istruzioni-due',
};

export const FULL_QUESTIONS: Questions = {
  domanda_1: 'domanda-uno',
  domanda_2: 'domanda-due',
  domanda_1_viaggio_2: 'domanda-tre',
  domanda_2_viaggio_2: 'domanda-quattro',
};

/** Changes that remove the second trip. */
export const NO_SECOND_TRIP = {
  frasi_tra_viaggi: [],
  frasi_secondo_viaggio: [],
  immagine_destinazione_url_2: null,
  biglietti_url_2: null,
};

/** Returns the configuration snapshot of a visit. */
export function snapshotOf(
  changes: Partial<Configuration> = {},
  questions: Partial<Questions> = {},
): Snapshot {
  return {
    config: structuredClone({ ...FULL_CONFIGURATION, ...changes }),
    questions: { ...FULL_QUESTIONS, ...questions },
    poster_url: mediaUrl('9', 'jpg'),
    light_url: mediaUrl('8', 'mp4'),
    captions: { url: mediaUrl('7', 'vtt'), always: false },
    video_bitrate: 4_000_000,
    fuoco: null,
    fuoco_2: null,
    hues: null,
    hues_2: null,
    ticket_pages: null,
    ticket_pages_2: null,
  };
}
