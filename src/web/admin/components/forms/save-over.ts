import type { Values } from './merge-values.ts';
import { saveWithMerge } from './save-merging.ts';
import { type ConfigRecord, configSource } from './sources.ts';

/**
 * Saves a choice of the configuration. The last choice wins over a concurrent change of the same fields.
 * @param fieldsOf returns the same fields of a record
 */
export async function saveLastWriteWins<V extends Values & Partial<ConfigRecord>>(
  base: ConfigRecord,
  chosen: V,
  fieldsOf: (record: ConfigRecord) => V,
): Promise<ConfigRecord> {
  const row = { ...configSource, toValues: fieldsOf, toFields: (values: V): Partial<ConfigRecord> => values };
  const result = await saveWithMerge<ConfigRecord, V>(row, base, chosen);
  return result.kind === 'saved' ? result.record : saveLastWriteWins(result.record, chosen, fieldsOf);
}
