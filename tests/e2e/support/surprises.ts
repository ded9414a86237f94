import { resolve } from 'node:path';
import type { Surprise } from '../../../demo/prepare.ts';

const fixture = (name: string) => resolve(import.meta.dirname, '../../fixtures', name);

export const words = {
  pre: ['Prima di tutto, respira.', 'Poi guarda lo schermo.'],
  post: ['Ti è piaciuto?', 'Allora si parte.'],
  closing: {
    entrambi_si: 'Due sì, come speravo.',
    entrambi_no: 'Due no, e va bene.',
    misto: 'Un sì e un no: ne parliamo.',
  },
  between: ['Non è finita qui.'],
  second: ['C’è un altro viaggio.', 'Con la neve.'],
  final: ['Buona notte.', 'A domani.'],
  domanda_1: 'Partiamo all’alba?',
  domanda_2: 'Cena sul mare?',
  domanda_1_viaggio_2: 'Sciamo?',
  domanda_2_viaggio_2: 'Cioccolata calda?',
} as const;

/** One trip with everything: three-second video, song, picture, PDF tickets, questions and closing phrases. */
export const oneTrip: Surprise = {
  config: {
    frasi_pre_video: [...words.pre],
    frasi: [...words.post],
    frasi_finali: words.closing,
    titolo_destinazione: 'Lisbona',
    titolo_viaggio: 'Tre giorni a Lisbona',
    data_partenza: '3 marzo 2027',
    data_ritorno: '6 marzo 2027',
    contatto: '@marco',
  },
  questions: { domanda_1: words.domanda_1, domanda_2: words.domanda_2 },
  files: {
    video: fixture('video-3s.mp4'),
    poster: fixture('picture.jpg'),
    song: fixture('song.mp3'),
    image: fixture('picture.jpg'),
    tickets: fixture('ticket.pdf'),
  },
};

/** `oneTrip` and a second trip, whose ticket is a picture. */
export const twoTrips: Surprise = {
  config: {
    ...oneTrip.config,
    frasi_tra_viaggi: [...words.between],
    frasi_secondo_viaggio: [...words.second],
    frasi_finali_secondo_viaggio: [...words.final],
    titolo_destinazione_2: 'Dolomiti',
    titolo_viaggio_2: 'La neve vera',
  },
  questions: {
    ...oneTrip.questions,
    domanda_1_viaggio_2: words.domanda_1_viaggio_2,
    domanda_2_viaggio_2: words.domanda_2_viaggio_2,
  },
  files: { ...oneTrip.files, image_2: fixture('picture.jpg'), tickets_2: fixture('ticket.png') },
};

/** Returns a surprise with other configuration or without some files. */
export function but(surprise: Surprise, change: Partial<Surprise>): Surprise {
  return {
    config: { ...surprise.config, ...change.config },
    questions: { ...surprise.questions, ...change.questions },
    files: { ...surprise.files, ...change.files },
  };
}
