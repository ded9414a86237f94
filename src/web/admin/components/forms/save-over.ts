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
  const outcome = await saveWithMerge<ConfigRecord, V>(row, base, chosen);
  return outcome.kind === 'saved' ? outcome.record : saveLastWriteWins(outcome.record, chosen, fieldsOf);
}
