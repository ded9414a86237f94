import type { z } from 'zod';
import { configurationSchema } from '../../../contract/records.ts';
import { type FrasiFinali, PHRASE_LISTS } from '../../../domain/content.ts';
import { IMAGE_SECONDS, PHRASE_SECONDS, PLAYBACK_RATES } from '../../../domain/limits.ts';
import type { ConfigChange, ConfigRow } from './config.repo.ts';

const LISTS = [...PHRASE_LISTS, 'frasi_secondi_esatti'] as const;

/** The domain's `Configuration`, with a playback rate that is one of those allowed. */
export type CheckedConfiguration = z.infer<typeof configurationSchema>;

/** The configuration before anything was saved. */
export const EMPTY_CONFIGURATION: CheckedConfiguration = {
  video_url: null,
  video_playback_rate: 1,
  video_button_text: null,
  frasi_pre_video: [],
  frasi: [],
  frasi_finali: null,
  frasi_tra_viaggi: [],
  frasi_secondo_viaggio: [],
  frasi_finali_secondo_viaggio: [],
  durata_frase_secondi: PHRASE_SECONDS.default,
  frasi_secondi_esatti: [],
  canzone_url: null,
  immagine_destinazione_url: null,
  immagine_destinazione_url_2: null,
  biglietti_url: null,
  biglietti_url_2: null,
  data_partenza: null,
  data_ritorno: null,
  data_partenza_2: null,
  data_ritorno_2: null,
  titolo_destinazione: null,
  titolo_destinazione_2: null,
  titolo_viaggio: null,
  titolo_viaggio_2: null,
  durata_immagine_destinazione_secondi: IMAGE_SECONDS.default,
  testo_istruzioni_biglietti: null,
  testo_istruzioni_biglietti_2: null,
};

/** The row as the domain's configuration. Lists keep only strings (spec 5); anything else that doesn't fit the schema throws. */
export function configurationOf(row: ConfigRow): CheckedConfiguration {
  const fields = Object.fromEntries(configurationSchema.keyof().options.map((key) => [key, row[key]]));
  const lists = Object.fromEntries(LISTS.map((key) => [key, strings(JSON.parse(row[key]))]));
  const frasi_finali: FrasiFinali | null = row.frasi_finali === null ? null : JSON.parse(row.frasi_finali);
  const video_playback_rate = PLAYBACK_RATES.find((rate) => rate === row.video_playback_rate) ?? 1;
  return configurationSchema.parse({ ...fields, ...lists, frasi_finali, video_playback_rate });
}

function strings(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === 'string') : [];
}

/** Some fields of the configuration as the row stores them. */
export function changeOf(fields: { [K in keyof ConfigChange]?: unknown }): ConfigChange {
  const stored = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [
      key,
      value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
    ]);
  return Object.fromEntries(stored);
}
