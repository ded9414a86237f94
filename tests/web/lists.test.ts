import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { combineLeaveGuards } from '../../src/web/admin/components/forms/leaving.ts';
import { mergeLists, mergeValues } from '../../src/web/admin/components/forms/merge.ts';
import { saveWithMerge } from '../../src/web/admin/components/forms/save-merging.ts';
import { createAutosave } from '../../src/web/admin/pages/phrases/autosave.ts';
import {
  freeSlots,
  mergePhraseLists,
  moveItem,
  nextRows,
  type PhraseLists,
  piecesOf,
  secondsOf,
  withoutLast,
  withSwitched,
} from '../../src/web/admin/pages/phrases/lists.ts';
import { ApiError } from '../../src/web/api/failure.ts';

/** Concurrent edits of lists and forms: row ids, automatic saving and merging. */

const list = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 });
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id);

describe('phrase list', () => {
  test('preserves a row’s id while its phrase is edited or moved and others are added or removed', () => {
    const rows = nextRows([], ['Due', 'Due', 'Tre']);
    const [first = '', second = '', third = ''] = idsOf(rows);
    expect(new Set(idsOf(rows)).size).toBe(3);
    const written = nextRows(rows, ['Due!', 'Due', 'Tre']);
    expect(idsOf(written)).toEqual([first, second, third]);
    const turned = nextRows(written, ['Tre', 'Due!', 'Due']);
    expect(idsOf(turned)).toEqual([third, first, second]);
    expect(idsOf(nextRows(turned, ['Tre', 'Due']))).toEqual([third, second]);
    const [added, ...others] = idsOf(nextRows(turned, ['Loro', 'Tre', 'Due!', 'Due']));
    expect(others).toEqual([third, first, second]);
    expect([first, second, third]).not.toContain(added);
    fc.assert(
      fc.property(list, list, (before, after) => {
        const next = nextRows(nextRows([], before), after);
        expect(next.map(({ text }) => text)).toEqual(after);
        expect(new Set(idsOf(next)).size).toBe(after.length);
      }),
    );
  });

  test('splits pasted text into paragraphs and lines, and removes only phrases that were added together', () => {
    expect(piecesOf('Uno\r\ndue\r\n \r\n  Tre \n\n\n')).toEqual({
      paragraphs: ['Uno\ndue', 'Tre'],
      lines: ['Uno', 'due', 'Tre'],
    });
    expect(piecesOf(' Una sola ')).toEqual({ paragraphs: ['Una sola'], lines: ['Una sola'] });
    expect(piecesOf(' \n ')).toEqual({ paragraphs: [], lines: [] });
    expect(withoutLast(['a', 'b', 'a', 'b'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(withoutLast(['a', 'c'], ['a', 'b'])).toEqual(['c']);
  });

  test('has room for 200, moves items and reads seconds from 3 to 15', () => {
    const of = (length: number) => Array.from({ length }, () => 'Ciao');
    expect([0, 198, 200, 201].map((length) => freeSlots(of(length)))).toEqual([200, 2, 0, 0]);
    expect(moveItem(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a']);
    expect(moveItem(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b']);
    expect(moveItem(['a', 'b'], 5, 0)).toEqual(['a', 'b']);
    const written = ['', 'abc', '-', '2', '3', '7', '7,5', '15', '16', '-4'];
    expect(written.map(secondsOf)).toEqual([6, 6, 6, 3, 3, 7, 7, 15, 15, 3]);
  });

  test('merges phrases, seconds and switches of two windows', () => {
    const start: PhraseLists = {
      frasi_pre_video: ['a'],
      frasi: ['b'],
      frasi_tra_viaggi: [],
      frasi_secondo_viaggio: [],
      frasi_finali_secondo_viaggio: [],
      durata_frase_secondi: 6,
      frasi_secondi_esatti: [],
    };
    const mine = { ...start, frasi: ['b', 'mia'], frasi_secondi_esatti: withSwitched([], 'frasi', true) };
    const exact = withSwitched([], 'frasi_pre_video', true);
    const theirs = { ...start, frasi: ['loro', 'b'], durata_frase_secondi: 9, frasi_secondi_esatti: exact };
    expect(mergePhraseLists(start, mine, theirs)).toEqual({
      ...start,
      frasi: ['loro', 'b', 'mia'],
      durata_frase_secondi: 9,
      frasi_secondi_esatti: ['frasi_pre_video', 'frasi'],
    });
    expect(withSwitched(['frasi_pre_video', 'frasi'], 'frasi', false)).toEqual(['frasi_pre_video']);
  });

  test('merges all additions and removals of both sides', () => {
    const set = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'));
    fc.assert(
      fc.property(set, set, set, (base, mine, theirs) => {
        const all = [...new Set([...base, ...mine, ...theirs])];
        const expected = all.filter((text) => {
          const [here, there] = [mine.includes(text), theirs.includes(text)];
          return base.includes(text) ? here && there : here || there;
        });
        expect(mergeLists(base, mine, theirs).toSorted()).toEqual(expected.toSorted());
      }),
    );
    fc.assert(
      fc.property(list, list, list, (base, mine, theirs) => {
        expect(mergeLists(base, mine, theirs).toSorted()).toEqual(mergeLists(base, theirs, mine).toSorted());
        expect(mergeLists(base, mine, base)).toEqual(mine);
        expect(mergeLists(base, base, mine)).toEqual(mine);
        expect(mergeLists(base, mine, mine)).toEqual(mine);
      }),
    );
  });

  test.each([
    ['what they added where they put it', ['a', 'b'], ['a', 'b', 'mia'], ['a', 'loro', 'b'], 'a loro b mia'],
    [
      'my order, with what they added and removed',
      ['a', 'b', 'c'],
      ['c', 'a', 'b'],
      ['a', 'c', 'loro'],
      'c loro a',
    ],
    ['their order where I only added', ['a', 'b', 'c'], ['a', 'b', 'c', 'mia'], ['c', 'b', 'a'], 'c mia b a'],
    [
      'both versions of what both edited',
      ['ciao', 'poi'],
      ['amore', 'poi'],
      ['bella', 'poi'],
      'bella amore poi',
    ],
    ['once what was saved though its answer was lost', ['a'], ['a', 'nuova'], ['a', 'nuova'], 'a nuova'],
  ])('preserves %s', (_what, base, mine, theirs, merged) => {
    expect(mergeLists(base, mine, theirs).join(' ')).toBe(merged);
  });
});

describe('autosave', () => {
  const lost = new ApiError('NETWORK', 'persa');

  /** Creates an autosaved list and a versioned server that answers one save at a time. */
  function open(start: string[] = []) {
    const stored = { value: start, versione: 3 };
    const gates: PromiseWithResolvers<void>[] = [];
    const sent: string[][] = [];
    const reported: string[] = [];
    let inFlight = 0;
    const save = async (value: string[], versione: number) => {
      expect(++inFlight).toBe(1);
      sent.push(value);
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise.finally(() => inFlight--);
      if (versione !== stored.versione) throw new ApiError('STALE_VERSION', 'vecchia');
      Object.assign(stored, { value, versione: versione + 1 });
      return { versione: stored.versione };
    };
    const autosave = createAutosave<string[]>(
      { ...stored },
      {
        read: async () => ({ ...stored }),
        save,
        same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
        merge: mergeLists,
        onFailed: () => reported.push('failed'),
      },
    );
    const add = (text: string) =>
      autosave.change(
        (all) => [...all, text],
        () => reported.push(text),
      );
    const saved = () => vi.waitFor(() => expect(autosave.state().saving).toBe(false));
    /** Completes the save in flight, or fails it with `error`. */
    const answer = async (error?: unknown) => {
      const gate = gates.shift();
      if (error === undefined) gate?.resolve();
      else gate?.reject(error);
      await vi.waitFor(() => expect(inFlight === 0 || gates.length > 0).toBe(true));
    };
    return { autosave, add, said: reported, saved, answer, sent, stored };
  }

  test('sends changes made during a save with the next save, and reports each when stored', async () => {
    const { add, said: reported, saved, answer, sent, stored } = open();
    for (const text of ['uno', 'due', 'tre']) add(text);
    expect(sent).toEqual([['uno']]);
    await answer();
    expect([reported, sent]).toEqual([['uno'], [['uno'], ['uno', 'due', 'tre']]]);
    await answer();
    await saved();
    expect([reported, stored]).toEqual([
      ['uno', 'due', 'tre'],
      { value: ['uno', 'due', 'tre'], versione: 5 },
    ]);
  });

  test('preserves changes after a failure until a retry, and adopts no newer values until then', async () => {
    const { autosave, add, said: reported, saved, answer, stored } = open(['a']);
    Object.assign(stored, { value: ['b'], versione: 4 });
    const value = () => autosave.state().value;
    autosave.adopt(['b'], 4);
    autosave.adopt(['vecchia'], 3);
    expect(value()).toEqual(['b']);
    add('mia');
    autosave.adopt(['c'], 5);
    expect(value()).toEqual(['b', 'mia']);
    await answer(lost);
    await saved();
    autosave.adopt(['c'], 6);
    expect([reported, autosave.state()]).toEqual([
      ['failed'],
      expect.objectContaining({ value: ['b', 'mia'], saved: ['b'], error: lost }),
    ]);
    autosave.flush();
    await answer();
    await vi.waitFor(() => expect(autosave.state().error).toBeNull());
  });

  test('gives up after 5 version conflicts, and preserves the text', async () => {
    const { autosave, add, said: reported, saved, answer, sent, stored } = open();
    add('mia');
    for (let attempts = 1; attempts <= 5; attempts++) {
      stored.versione += 10;
      await answer();
      if (attempts < 5) await vi.waitFor(() => expect(sent).toHaveLength(attempts + 1));
    }
    await saved();
    expect([reported, autosave.state().value]).toEqual([['failed'], ['mia']]);
  });
});

describe('form', () => {
  type Form = { titolo: string; frasi: readonly string[] };
  type Row = Form & { versione: number };
  const form = fc.record({ titolo: fc.constantFrom('', 'a', 'b', 'c'), frasi: list });

  test('merges one-sided changes, and preserves the local value of a field that both changed', () => {
    fc.assert(
      fc.property(form, form, (base, changed) => {
        const expected = { merged: changed, conflicts: [] };
        expect(mergeValues<Form>(base, changed, base)).toEqual(expected);
        expect(mergeValues<Form>(base, base, changed)).toEqual(expected);
        expect(mergeValues<Form>(base, changed, changed)).toEqual(expected);
      }),
    );
    const base = { titolo: 'a', frasi: ['x'] };
    expect(mergeValues<Form>(base, { ...base, titolo: 'b' }, { titolo: 'c', frasi: [] })).toEqual({
      merged: { titolo: 'b', frasi: [] },
      conflicts: ['titolo'],
    });
  });

  const START: Row = { titolo: 'a', frasi: ['x'], versione: 4 };
  /** A server whose record is changed by `others` before each save. */
  function server(start: Row, others: Partial<Form>[]) {
    let stored = start;
    const saves: number[] = [];
    const row = {
      toValues: ({ titolo, frasi }: Row): Form => ({ titolo, frasi }),
      toFields: ({ titolo, frasi }: Form) => ({ titolo: titolo.trim(), frasi }),
      read: async () => stored,
      save: async ({ versione, fields }: { versione: number; fields: Partial<Row> }) => {
        const other = others.shift();
        if (other !== undefined) stored = { ...stored, ...other, versione: stored.versione + 1 };
        saves.push(versione);
        if (versione !== stored.versione) throw new ApiError('STALE_VERSION', 'vecchia');
        stored = { ...stored, ...fields, versione: versione + 1 };
        return { versione: stored.versione };
      },
    };
    return { stored: () => stored, saves, row };
  }

  test('retries a save after changes to other fields, and recognises its own lost save', async () => {
    const { row, stored, saves } = server(START, [{ frasi: ['loro'] }, { frasi: ['loro', 'ancora'] }]);
    expect((await saveWithMerge(row, START, { titolo: 'b', frasi: ['x'] })).kind).toBe('saved');
    expect([saves, stored()]).toEqual([[4, 5, 6], { titolo: 'b', frasi: ['loro', 'ancora'], versione: 7 }]);
    const again = server({ ...START, titolo: 'mio', versione: 5 }, []);
    expect((await saveWithMerge(again.row, START, { titolo: 'mio', frasi: ['x'] })).kind).toBe('saved');
    expect(again.stored()).toMatchObject({ titolo: 'mio', versione: 6 });
  });

  test('throws other errors, and STALE_VERSION after repeated conflicts', async () => {
    const busy = Array.from({ length: 9 }, (_, round) => ({ frasi: [String(round)] }));
    const mine = { titolo: 'b', frasi: ['x'] };
    await expect(saveWithMerge(server(START, busy).row, START, mine)).rejects.toThrow('STALE_VERSION');
    const save = async () => Promise.reject(new ApiError('NETWORK', 'persa'));
    await expect(saveWithMerge({ ...server(START, []).row, save }, START, START)).rejects.toThrow('NETWORK');
  });

  test('saves, asks or discards when the page is left, depending on the state of each form', () => {
    type One = Parameters<typeof combineLeaveGuards>[0][number];
    const one = (change: Partial<One> = {}): One => ({
      dirty: true,
      saving: false,
      failure: null,
      saveQuietly: vi.fn<() => void>(),
      draft: { discard: vi.fn<() => void>() },
      ...change,
    });
    const look = ({ when, saving, needsConfirmation, onSave }: ReturnType<typeof combineLeaveGuards>) => [
      when,
      saving,
      needsConfirmation,
      onSave !== null,
    ];
    expect(look(combineLeaveGuards([one({ dirty: false, saving: true, failure: 'no' })]))).toEqual([
      false,
      false,
      false,
      false,
    ]);
    const [savable, wrong, untouched] = [one(), one({ saveQuietly: null }), one({ dirty: false })];
    const guard = combineLeaveGuards([savable, wrong, untouched]);
    expect(look(guard)).toEqual([true, false, false, true]);
    guard.onSave?.();
    guard.onLeave?.();
    expect([savable, untouched].map(({ saveQuietly }) => vi.mocked(saveQuietly!).mock.calls.length)).toEqual([
      1, 0,
    ]);
    expect([savable, untouched].map(({ draft }) => vi.mocked(draft.discard).mock.calls.length)).toEqual([
      1, 0,
    ]);
    expect(combineLeaveGuards([wrong, untouched]).onSave).toBeNull();
    expect(look(combineLeaveGuards([one(), one({ saving: true, failure: 'no' })])).slice(1, 3)).toEqual([
      true,
      true,
    ]);
  });
});
