import { secondTripTexts as texts, tripMediaTexts } from '../../../../texts/admin/media.ts';
import type { RecordFormOptions } from '../../components/forms/form-options.ts';
import { type ConfigRecord, configSource } from '../../components/forms/sources.ts';
import { storedText } from '../../components/forms/stored-text.ts';

export type Details = Record<
  | 'titolo_destinazione_2'
  | 'titolo_viaggio_2'
  | 'data_partenza_2'
  | 'data_ritorno_2'
  | 'testo_istruzioni_biglietti_2',
  string
>;

/** The second trip's titles, dates and instructions (spec 5: no validation; spec 7). */
export const detailsForm = {
  name: 'dettagli-secondo-viaggio',
  source: configSource,
  labels: {
    titolo_destinazione_2: texts.titolo_destinazione_2,
    titolo_viaggio_2: texts.titolo_viaggio_2,
    data_partenza_2: tripMediaTexts.departure,
    data_ritorno_2: tripMediaTexts.return,
    testo_istruzioni_biglietti_2: texts.testo_istruzioni_biglietti_2,
  },
  toValues: (config) => ({
    titolo_destinazione_2: config.titolo_destinazione_2 ?? '',
    titolo_viaggio_2: config.titolo_viaggio_2 ?? '',
    data_partenza_2: config.data_partenza_2 ?? '',
    data_ritorno_2: config.data_ritorno_2 ?? '',
    testo_istruzioni_biglietti_2: config.testo_istruzioni_biglietti_2 ?? '',
  }),
  toFields: (details) => ({
    titolo_destinazione_2: storedText(details.titolo_destinazione_2),
    titolo_viaggio_2: storedText(details.titolo_viaggio_2),
    data_partenza_2: storedText(details.data_partenza_2),
    data_ritorno_2: storedText(details.data_ritorno_2),
    testo_istruzioni_biglietti_2: storedText(details.testo_istruzioni_biglietti_2),
  }),
  sentences: { saved: texts.saved, loadFailed: texts.loadFailed, saveFailed: texts.saveFailed },
} satisfies RecordFormOptions<ConfigRecord, Details>;
