import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mergeValues } from '../../src/web/admin/components/forms/merge-values.ts';
import { saveMerging } from '../../src/web/admin/components/forms/save-merging.ts';
import { Failure } from '../../src/web/api/failure.ts';

/** A form and somebody else on the same record: what only one of them changed stays, what both changed is asked about. */

type Form = { titolo: string; frasi: readonly string[] };
type Record = Form & { versione: number };

const form = fc.record({
  titolo: fc.constantFrom('', 'a', 'b', 'c'),
  frasi: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
});

test('what only one changed is as that one left it', () => {
  fc.assert(
    fc.property(form, form, (base, changed) => {
      expect(mergeValues<Form>(base, changed, base)).toEqual({ merged: changed, conflicts: [] });
      expect(mergeValues<Form>(base, base, changed)).toEqual({ merged: changed, conflicts: [] });
      expect(mergeValues<Form>(base, changed, changed)).toEqual({ merged: changed, conflicts: [] });
    }),
  );
});

test('a field both changed differently is a conflict, and keeps mine until it is chosen', () => {
  const base = { titolo: 'a', frasi: ['x'] };
  const { merged, conflicts } = mergeValues<Form>(
    base,
    { titolo: 'b', frasi: ['x'] },
    { titolo: 'c', frasi: [] },
  );
  expect(conflicts).toEqual(['titolo']);
  expect(merged).toEqual({ titolo: 'b', frasi: [] });
});

/** A server whose record somebody else may change before each save arrives. */
function server(start: Record, others: Partial<Form>[]) {
  let stored = start;
  const saves: number[] = [];
  return {
    stored: () => stored,
    saves,
    row: {
      toValues: ({ titolo, frasi }: Record): Form => ({ titolo, frasi }),
      toFields: ({ titolo, frasi }: Form) => ({ titolo: titolo.trim(), frasi }),
      read: async () => stored,
      save: async ({ versione, fields }: { versione: number; fields: Partial<Record> }) => {
        const other = others.shift();
        if (other !== undefined) stored = { ...stored, ...other, versione: stored.versione + 1 };
        saves.push(versione);
        if (versione !== stored.versione) throw new Failure('STALE_VERSION', 'vecchia');
        stored = { ...stored, ...fields, versione: versione + 1 };
        return { versione: stored.versione };
      },
    },
  };
}

const START: Record = { titolo: 'a', frasi: ['x'], versione: 4 };

test('where others changed other fields the save goes on, and theirs stays', async () => {
  const { row, stored, saves } = server(START, [{ frasi: ['loro'] }, { frasi: ['loro', 'ancora'] }]);
  const outcome = await saveMerging(row, START, { titolo: 'b', frasi: ['x'] });
  expect(outcome.kind).toBe('saved');
  expect(saves).toEqual([4, 5, 6]);
  expect(stored()).toEqual({ titolo: 'b', frasi: ['loro', 'ancora'], versione: 7 });
});

test('a save that was stored and whose answer was lost is not a conflict', async () => {
  const { row, stored } = server({ ...START, titolo: 'mio', versione: 5 }, []);
  const outcome = await saveMerging(row, START, { titolo: 'mio', frasi: ['x'] });
  expect(outcome.kind).toBe('saved');
  expect(stored()).toMatchObject({ titolo: 'mio', versione: 6 });
});

test('other failures, and others who are always quicker, are thrown', async () => {
  const busy = server(
    START,
    Array.from({ length: 9 }, (_, round) => ({ frasi: [String(round)] })),
  );
  await expect(saveMerging(busy.row, START, { titolo: 'b', frasi: ['x'] })).rejects.toThrow('STALE_VERSION');
  const { row } = server(START, []);
  const offline = async () => Promise.reject(new Failure('NETWORK', 'persa'));
  await expect(saveMerging({ ...row, save: offline }, START, START)).rejects.toThrow('NETWORK');
});
