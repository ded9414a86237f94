import { demoContent } from '../../../demo/content.ts';
import tickets from '../../../demo/media/biglietti.pdf';
import tickets_2 from '../../../demo/media/biglietti-2.png';
import song from '../../../demo/media/canzone.mp3';
import picture from '../../../demo/media/destinazione-1.jpg';
import picture_2 from '../../../demo/media/destinazione-2.jpg';
import film from '../../../demo/media/video.mp4';
import poster from '../../../demo/media/video-poster.jpg';
import { type Configuration, EMPTY_VALUES, eachField } from '../../domain/configuration.ts';
import { NO_FILE_FACTS, type Snapshot } from '../../domain/content.ts';

/** The demo's surprise, with files served by the development server. */

const { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2, ...texts } = demoContent;

export const TICKETS = { 1: tickets, 2: tickets_2 } as const;
export const POSTER = poster;

export const twoTrips: Snapshot = {
  config: {
    ...eachField(EMPTY_VALUES),
    ...texts,
    recipient_name: 'Giulia',
    video_url: film,
    canzone_url: song,
    immagine_destinazione_url: picture,
    immagine_destinazione_url_2: picture_2,
    biglietti_url: tickets,
    biglietti_url_2: tickets_2,
  },
  questions: { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2 },
  ...NO_FILE_FACTS,
  ticket_pages: [tickets_2],
  ticket_pages_2: [tickets_2],
  poster_url: poster,
};

export const oneTrip = changed({
  frasi_tra_viaggi: [],
  frasi_secondo_viaggio: [],
  immagine_destinazione_url_2: null,
  biglietti_url_2: null,
});

/** Returns the evening with other texts or files. */
export function changed(changes: Partial<Configuration>, from: Snapshot = twoTrips): Snapshot {
  return { ...from, config: { ...from.config, ...changes } };
}
