import type { Values } from './merge-values.ts';
import { saveMerging } from './save-merging.ts';
import { type ConfigRecord, configSource } from './sources.ts';

/**
 * Saves what was chosen of the configuration. The last choice counts: where somebody else has just chosen, too, it is saved over theirs.
 * @param fieldsOf the same fields of a record
 */
export async function saveOver<V extends Values & Partial<ConfigRecord>>(
  base: ConfigRecord,
  chosen: V,
  fieldsOf: (record: ConfigRecord) => V,
): Promise<ConfigRecord> {
  const row = { ...configSource, toValues: fieldsOf, toFields: (values: V): Partial<ConfigRecord> => values };
  const outcome = await saveMerging<ConfigRecord, V>(row, base, chosen);
  return outcome.kind === 'saved' ? outcome.record : saveOver(outcome.record, chosen, fieldsOf);
}
