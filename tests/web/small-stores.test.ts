import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  inTab,
  keepProgress,
  newProgress,
  readProgress,
  storageHolds,
} from '../../src/web/diagnosis/progress.ts';
import { keep, readKept, readKeptJson } from '../../src/web/ui/storage.ts';
import { answerStore } from '../../src/web/visitor/experience/answer-store.ts';

/** What a page keeps in the browser, and where it is found again when the browser keeps nothing. */

let kept: Map<string, string>;
let works: boolean;
let history: {
  state: Record<string, unknown> | null;
  replaceState: (state: Record<string, unknown>) => void;
};

beforeEach(() => {
  kept = new Map();
  works = true;
  const asked = <T>(answer: () => T): T => {
    if (!works) throw new DOMException('forbidden', 'SecurityError');
    return answer();
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => asked(() => kept.get(key) ?? null),
    setItem: (key: string, text: string) => asked(() => void kept.set(key, text)),
    removeItem: (key: string) => asked(() => void kept.delete(key)),
  });
  history = {
    state: null,
    replaceState: (state) => {
      history.state = state;
    },
  };
  vi.stubGlobal('history', history);
});
afterEach(() => vi.unstubAllGlobals());

describe('storage', () => {
  test('keeps a text, and forgets it', () => {
    keep('localStorage', 'key', '{"a":1}');
    expect([readKept('localStorage', 'key'), readKeptJson('localStorage', 'key')]).toEqual([
      '{"a":1}',
      { a: 1 },
    ]);
    keep('localStorage', 'key', null);
    expect([readKept('localStorage', 'key'), readKeptJson('localStorage', 'key')]).toEqual([null, null]);
  });

  test('that is forbidden, or holds what isn’t ours, holds nothing', () => {
    kept.set('key', 'not JSON');
    expect(readKeptJson('localStorage', 'key')).toBeNull();
    works = false;
    keep('localStorage', 'key', 'text');
    keep('localStorage', 'key', null);
    expect(readKept('localStorage', 'key')).toBeNull();
  });
});

describe('answers that the server hasn’t yet', () => {
  const store = answerStore();
  const chosen = { risposta_1: true, risposta_2: false };

  test.each([true, false])('are found again after a reload, where storage works: %s', (storage) => {
    works = storage;
    history.state = { idx: 3 };
    store.save('s1', 1, chosen);
    expect([store.load('s1', 1), store.load('s1', 2), store.load('s2', 1)]).toEqual([chosen, {}, {}]);
    // The router's own stay.
    expect(history.state).toMatchObject({ idx: 3 });
    store.save('s1', 2, { risposta_1: false });
    store.clear('s1', 1);
    expect([store.load('s1', 1), store.load('s1', 2)]).toEqual([{}, { risposta_1: false }]);
    expect(history.state).toMatchObject({ idx: 3 });
  });

  test('storage alone is enough, too', () => {
    store.save('s1', 1, chosen);
    history.state = null;
    expect(store.load('s1', 1)).toEqual(chosen);
    store.clear('s1', 1);
    expect(kept.size).toBe(0);
  });

  test.each<[string, object]>([
    ['"yes"', {}],
    ['null', {}],
    ['{"risposta_1":"true","risposta_2":1}', {}],
    ['{"risposta_1":false,"risposta_2":null}', { risposta_1: false }],
    ['{"risposta_2":true}', { risposta_2: true }],
  ])('of what is kept, %s, only a yes or a no counts', (text, answers) => {
    kept.set('risposte-s1-1', text);
    expect(store.load('s1', 1)).toEqual(answers);
  });
});

describe('the trial on her phone', () => {
  const at = (step: number) => ({ id: 'a', step, findings: {}, pass: 'secret' });

  test('begins with a number of its own, which a known phone brings', () => {
    const [one, other] = [newProgress(), newProgress()];
    expect(one).toMatchObject({ step: -1, findings: {}, pass: null });
    expect(one.id).toMatch(/^[0-9a-f]{32}$/);
    expect(other.id).not.toBe(one.id);
    expect(newProgress('known').id).toBe('known');
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.fill(7) });
    expect(newProgress().id).toBe('07'.repeat(16));
  });

  test('goes on after a reload where this tab was; another one where the browser was, without the pass', () => {
    history.state = { idx: 2 };
    keepProgress(at(3));
    expect(history.state).toMatchObject({ idx: 2 });
    expect([inTab(), readProgress()]).toEqual([at(3), at(3)]);
    history.state = null;
    expect([inTab(), readProgress()]).toEqual([null, { ...at(3), pass: null }]);
    works = false;
    expect(readProgress().step).toBe(-1);
  });

  test('knows whether the browser still has it, and not another’s', () => {
    keepProgress(at(3));
    expect([storageHolds(at(5)), storageHolds({ ...at(3), id: 'b' })]).toEqual([true, false]);
    kept.clear();
    expect(storageHolds(at(3))).toBe(false);
  });

  test.each([
    null,
    'text',
    {},
    { ...at(1), id: 1 },
    { ...at(1), step: '1' },
    { ...at(1), findings: null },
    { ...at(1), findings: 'none' },
    { id: 'a', step: 1, findings: {} },
    { id: 'a', findings: {}, pass: null },
    { id: 'a', step: 1, pass: null },
    { step: 1, findings: {}, pass: null },
  ])('%j is none', (diagnosis) => {
    history.state = { diagnosis };
    kept.set('diagnosi', JSON.stringify(diagnosis));
    expect([inTab(), readProgress().step, storageHolds(at(1))]).toEqual([null, -1, false]);
  });
});
