import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { named } from '../../src/web/admin/kit/phrase-list/merge-lists.ts';
import { createOpenEdits, lostEdits, rewritten } from '../../src/web/admin/kit/phrase-list/open-edits.ts';

/** A phrase that is being rewritten in its place: what is written is never lost. */

const LIST = ['Uno', 'Due', 'Due'];
let kept: Map<string, string>;
beforeEach(() => {
  kept = new Map();
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
    removeItem: (name: string) => kept.delete(name),
  });
});
afterEach(() => vi.unstubAllGlobals());

function opened(...places: number[]) {
  const edits = createOpenEdits('prova');
  for (const place of places) edits.open(named(LIST)[place] ?? { name: '', text: '' });
  return edits;
}

test('what is written is there after a reload, in its place; an editor nothing was written in is not', () => {
  const edits = opened(0, 2);
  edits.write('1:Due', 'Due, ma meglio');
  const reloaded = createOpenEdits('prova');
  expect(reloaded.state()).toEqual([{ name: '1:Due', was: 'Due', now: 'Due, ma meglio' }]);
  expect(rewritten(LIST, reloaded.state())).toEqual(['Uno', 'Due', 'Due, ma meglio']);
  expect(createOpenEdits('altra').state()).toEqual([]);
});

test('several are open at once: opening another loses nothing', () => {
  const edits = opened(0);
  edits.write('0:Uno', 'Primo');
  edits.open({ name: '0:Due', text: 'Due' });
  edits.write('0:Due', 'Secondo');
  expect(rewritten(LIST, edits.state())).toEqual(['Primo', 'Secondo', 'Due']);
  expect(createOpenEdits('prova').state()).toHaveLength(2);
});

test('confirmed, given up, written back as it was or left on purpose: no draft stays', () => {
  for (const end of [
    (edits: ReturnType<typeof opened>) => edits.close('0:Uno'),
    (edits: ReturnType<typeof opened>) => edits.write('0:Uno', 'Uno'),
    (edits: ReturnType<typeof opened>) => edits.forget(),
  ]) {
    const edits = opened(0);
    edits.write('0:Uno', 'Primo');
    expect(kept.size).toBe(1);
    end(edits);
    expect(kept.size).toBe(0);
  }
});

test('a phrase that another window took away leaves what was written behind, and only that', () => {
  const edits = opened(0, 1);
  edits.write('0:Uno', 'Primo');
  expect(lostEdits(edits.state(), LIST)).toEqual([]);
  expect(lostEdits(edits.state(), ['Altro'])).toEqual([{ name: '0:Uno', was: 'Uno', now: 'Primo' }]);
  expect(rewritten(['Altro'], edits.state())).toEqual(['Altro']);
});

test('whoever listens hears of every change, until they stop', () => {
  const edits = opened();
  const heard = vi.fn<() => void>();
  const stop = edits.subscribe(heard);
  edits.open({ name: '0:Uno', text: 'Uno' });
  edits.write('0:Uno', 'Primo');
  stop();
  edits.close('0:Uno');
  expect(heard).toHaveBeenCalledTimes(2);
});

test('what isn’t a list of edits is none', () => {
  for (const json of ['{', 'null', '{}', '[{"name":"0:Uno"}]', '["x"]', '[{"name":1,"was":"a","now":"b"}]']) {
    kept.set('bozza:prova', json);
    expect(createOpenEdits('prova').state(), json).toEqual([]);
  }
});
