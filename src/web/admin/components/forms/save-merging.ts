import { isRefusal } from '../../failure.ts';
import { mergeValues, type Values } from './merge-values.ts';

/** A row with the version every save must name (decision 21 of the product's rules). */
export type Versioned = { versione: number };

/** Where a row is read and saved, and how a form's values become its fields. */
export type RecordAccess<R extends Versioned, V extends Values> = {
  read: () => Promise<R>;
  /** `bin`: the ids of what it put into the bin. */
  save: (input: { versione: number; fields: Partial<R> }) => Promise<Versioned & { bin?: string[] }>;
  toValues: (record: R) => V;
  toFields: (values: V) => Partial<R>;
};

export type SaveResult<R, V> =
  /** `bin`: the ids under which what was emptied lies there. */
  | { kind: 'saved'; record: R; bin: string[] }
  /** Somebody else changed the same fields: nothing was saved. `record` is what they left, `values` mine beside it. */
  | { kind: 'conflict'; record: R; values: V; fields: (keyof V & string)[] };

/** So often somebody else may be quicker before we give up. */
const TRIES = 5;

/**
 * Saves a form's values. When somebody else has saved meanwhile, reads again: where they touched other things the save goes on by itself,
 * where they touched the same fields it stops and says so. Other failures are thrown, with nothing saved.
 * @param base the record the form began with
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
 * Saves; where somebody else was quicker, catches up and saves again. Other failures are thrown.
 * @param catchUp what it returns, if anything, is how it ended: nothing is saved any more
 */
export async function saveWithRetry<Done>(
  save: () => Promise<Done>,
  catchUp: () => Promise<Done | undefined>,
): Promise<Done> {
  for (let tries = 1; ; tries++) {
    try {
      return await save();
    } catch (error) {
      if (!isRefusal(error, 'STALE_VERSION') || tries === TRIES) throw error;
    }
    const end = await catchUp();
    if (end !== undefined) return end;
  }
}
