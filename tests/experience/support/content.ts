import {
  type Configuration,
  EMPTY_VALUES,
  eachField,
  type Questions,
} from '../../../src/domain/configuration.ts';
import { NO_FILE_FACTS, type Snapshot } from '../../../src/domain/content.ts';

type Changes = { config?: Partial<Configuration>; questions?: Partial<Questions> };

/** A complete evening of two trips; a test removes or changes parts of it. */
export function twoTrips({ config = {}, questions = {} }: Changes = {}): Snapshot {
  return {
    config: { ...eachField(EMPTY_VALUES), ...firstTrip, ...secondTrip, ...config },
    questions: {
      domanda_1: 'Uno?',
      domanda_2: 'Due?',
      domanda_1_viaggio_2: 'Tre?',
      domanda_2_viaggio_2: 'Quattro?',
      ...questions,
    },
    ...NO_FILE_FACTS,
  };
}

/** A complete evening with the first trip only. */
export function oneTrip({ config = {}, questions = {} }: Changes = {}): Snapshot {
  const none = { frasi_secondo_viaggio: [], immagine_destinazione_url_2: null, biglietti_url_2: null };
  return twoTrips({ config: { ...none, ...config }, questions });
}

const firstTrip = {
  video_url: '/video.mp4',
  frasi_pre_video: ['Prima', 'Del video'],
  frasi: ['Dopo', 'Il', 'Video'],
  frasi_finali: { entrambi_si: 'Sì sì', entrambi_no: 'No no', misto: 'Un sì e un no' },
  canzone_url: '/song.mp3',
  immagine_destinazione_url: '/image.jpg',
  biglietti_url: '/tickets.pdf',
  data_partenza: '15 Dicembre 2024',
};

const secondTrip = {
  frasi_tra_viaggi: ['Non è finita'],
  frasi_secondo_viaggio: ['Secondo', 'Viaggio'],
  frasi_finali_secondo_viaggio: ['Fine', 'Davvero'],
  immagine_destinazione_url_2: '/image-2.jpg',
  biglietti_url_2: '/tickets-2.pdf',
};
