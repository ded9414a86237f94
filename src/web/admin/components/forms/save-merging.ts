import { isRefusal } from '../../failure.ts';
import { mergeValues, type Values } from './merge.ts';

/** A row with the version that every save must send. */
export type Versioned = { versione: number };

/** Read and save of a row, and the mapping between form values and its fields. */
export type RecordAccess<R extends Versioned, V extends Values> = {
  read: () => Promise<R>;
  /** `bin`: ids of the items moved to the bin. */
  save: (input: { versione: number; fields: Partial<R> }) => Promise<Versioned & { bin?: string[] }>;
  toValues: (record: R) => V;
  toFields: (values: V) => Partial<R>;
};

export type SaveResult<R, V> =
  /** `bin`: ids under which the emptied content is in the bin. */
  | { kind: 'saved'; record: R; bin: string[] }
  /** Another window changed the same fields, and nothing was saved. `record` is the stored one; `values` are mine merged into it. */
  | { kind: 'conflict'; record: R; values: V; fields: (keyof V & string)[] };

/** Attempts against concurrent saves before giving up. */
const MAX_ATTEMPTS = 5;

/**
 * Saves a form's values. After a concurrent save it reads the record again: other fields are merged and saved, the same fields
 * return a conflict. Other failures are thrown, with nothing saved.
 * @param base the record the form started from
 */
export async function saveWithMerge<R extends Versioned, V extends Values>(
  { read, save, toValues, toFields }: RecordAccess<R, V>,
  base: R,
  mine: V,
): Promise<SaveResult<R, V>> {
  let record = base;
  let values = mine;
  return saveWithRetry<SaveResult<R, V>>(
    async () => {
      const fields = toFields(values);
      const { versione, bin = [] } = await save({ versione: record.versione, fields });
      return { kind: 'saved', record: { ...record, ...fields, versione }, bin };
    },
    async () => {
      const theirs = await read();
      const { merged, conflicts } = mergeValues(toValues(record), values, toValues(theirs));
      if (conflicts.length > 0)
        return { kind: 'conflict', record: theirs, values: merged, fields: conflicts };
      record = theirs;
      values = merged;
      return undefined;
    },
  );
}

/**
 * Saves; after a concurrent save, calls `catchUp` and saves again. Other failures are thrown.
 * @param catchUp a returned value is the result, and nothing more is saved
 */
export async function saveWithRetry<Done>(
  save: () => Promise<Done>,
  catchUp: () => Promise<Done | undefined>,
): Promise<Done> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await save();
    } catch (error) {
      if (!isRefusal(error, 'STALE_VERSION') || attempt === MAX_ATTEMPTS) throw error;
    }
    const end = await catchUp();
    if (end !== undefined) return end;
  }
}
