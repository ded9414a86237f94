import type { z } from 'zod';
import { configurationSchema } from '../../../contract/model.ts';
import { EMPTY_VALUES, eachField, type FrasiFinali, fieldsOf } from '../../../domain/configuration.ts';
import { PLAYBACK_RATES } from '../../../domain/limits.ts';
import type { ConfigChange, ConfigRow } from './config.repo.ts';

/** The domain's `Configuration` with an allowed playback rate. */
export type CheckedConfiguration = z.infer<typeof configurationSchema>;

/** Configuration before the first save. */
export const EMPTY_CONFIGURATION: CheckedConfiguration = configurationSchema.parse(eachField(EMPTY_VALUES));

/** Column values of the empty configuration. */
export const EMPTY_FIELDS = eachField({ ...EMPTY_VALUES, phrases: '[]', exactLists: '[]', closing: null });

const LISTS = fieldsOf('phrases', 'exactLists');

/** Converts the row to a configuration. Lists retain only strings (spec 5). Throws if another value does not match the schema. */
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

/** Converts fields of the configuration to column values. */
export function toRowChange(fields: { [K in keyof ConfigChange]?: unknown }): ConfigChange {
  const stored = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [
      key,
      value !== null && typeof value === 'object' ? JSON.stringify(value) : value,
    ]);
  return Object.fromEntries(stored);
}
