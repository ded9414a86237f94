import { expect, test } from 'vitest';
import { EMPTY, eachField, NO_QUESTIONS } from '../../src/domain/configuration.ts';
import { readSnapshot } from '../../src/server/features/visit/snapshot.ts';
import { snapshotOf } from '../support/evenings.ts';

/** A visit lives longer than a version: what one stored the next must read. Its text is written down here, so that nothing moves with the code. */
const OLDEST = `{"config":{"video_url":"/api/media/1.mp4","video_playback_rate":1,"video_button_text":"Guarda",
  "frasi_pre_video":["Ciao"],"frasi":["Eccola"],"frasi_tra_viaggi":[],"frasi_secondo_viaggio":[],"frasi_finali_secondo_viaggio":[],
  "frasi_finali":{"entrambi_si":"Sì","entrambi_no":"No","misto":"Forse"},"durata_frase_secondi":6,"canzone_url":null,
  "immagine_destinazione_url":"/api/media/2.jpg","immagine_destinazione_url_2":null,"biglietti_url":null,"biglietti_url_2":null,
  "data_partenza":"3 marzo","data_ritorno":null,"data_partenza_2":null,"data_ritorno_2":null,"titolo_destinazione":"Lisbona",
  "titolo_destinazione_2":null,"titolo_viaggio":null,"titolo_viaggio_2":null,"durata_immagine_destinazione_secondi":5,
  "testo_istruzioni_biglietti":null,"testo_istruzioni_biglietti_2":null},
  "questions":{"domanda_1":"Partiamo?","domanda_2":"Presto?","domanda_1_viaggio_2":null,"domanda_2_viaggio_2":null},"poster_url":null}`;

test('a snapshot of the first version is read whole, with nothing in what came later', () => {
  const stored = JSON.parse(OLDEST);
  const added = { recipient_name: null, dress: 'notte', frasi_secondi_esatti: [], canzone_inizio_secondi: 0 };
  expect(readSnapshot(OLDEST)).toEqual({
    ...stored,
    light_url: null,
    captions: null,
    video_bitrate: null,
    fuoco: null,
    fuoco_2: null,
    hues: null,
    hues_2: null,
    ticket_pages: null,
    ticket_pages_2: null,
    config: { ...stored.config, ...added },
  });
});

test.each(Object.entries(eachField(EMPTY)))('one from before there was %s is read', (field, empty) => {
  const { config, ...rest } = snapshotOf();
  const older = Object.fromEntries(Object.entries(config).filter(([name]) => name !== field));
  expect(readSnapshot(JSON.stringify({ ...rest, config: older }))).toEqual({
    ...rest,
    config: { ...config, [field]: empty },
  });
});

test.each(Object.keys(NO_QUESTIONS))('one from before there was %s is read', (field) => {
  const { questions, ...rest } = snapshotOf();
  const older = Object.fromEntries(Object.entries(questions).filter(([name]) => name !== field));
  expect(readSnapshot(JSON.stringify({ ...rest, questions: older }))).toEqual({
    ...rest,
    questions: { ...questions, [field]: null },
  });
});

test.each(['{}', '{"config":null,"questions":{},"poster_url":null}', '[]'])('%s is none', (stored) => {
  expect(() => readSnapshot(stored)).toThrow();
});
