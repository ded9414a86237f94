import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isStored, readProgress, readTabProgress, storeProgress } from '../../src/web/diagnosis/progress.ts';
import { randomUuid } from '../../src/web/random-uuid.ts';
import { readStored, readStoredJson, writeStored } from '../../src/web/ui/storage.ts';
import { takePass } from '../../src/web/ui/take-pass.ts';
import { answerStore } from '../../src/web/visitor/experience/answer-store.ts';

/** Values stored by a page, their fallback in the history state, and passes taken from the address. */

let stored: Map<string, string>;
let isAvailable: boolean;
let replaced: unknown[][];
let history: { state: Record<string, unknown> | null; replaceState: (...call: unknown[]) => void };

beforeEach(() => {
  [stored, isAvailable, replaced] = [new Map(), true, []];
  const withStorage = <T>(answer: () => T): T => {
    if (!isAvailable) throw new DOMException('forbidden', 'SecurityError');
    return answer();
  };
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => withStorage(() => stored.get(key) ?? null),
    setItem: (key: string, text: string) => withStorage(() => void stored.set(key, text)),
    removeItem: (key: string) => withStorage(() => void stored.delete(key)),
  });
  const replaceState = (...call: unknown[]) => {
    replaced.push(call);
    history.state = call[0] as never;
  };
  history = { state: { idx: 2 }, replaceState };
  vi.stubGlobal('history', history);
});
afterEach(() => vi.unstubAllGlobals());

test('stores and deletes a text, and returns null if storage is forbidden or holds invalid JSON', () => {
  const read = () => [readStored('localStorage', 'key'), readStoredJson('localStorage', 'key')];
  writeStored('localStorage', 'key', '{"a":1}');
  expect(read()).toEqual(['{"a":1}', { a: 1 }]);
  writeStored('localStorage', 'key', null);
  expect(read()).toEqual([null, null]);
  stored.set('key', 'not JSON');
  expect(read()).toEqual(['not JSON', null]);
  isAvailable = false;
  writeStored('localStorage', 'key', 'text');
  writeStored('localStorage', 'key', null);
  expect(read()).toEqual([null, null]);
});

describe('answer store', () => {
  const store = answerStore();
  const chosen = { risposta_1: true, risposta_2: false };

  test.each([true, false])('restores answers after a reload, with working storage: %s', (storage) => {
    isAvailable = storage;
    store.save('s1', 1, chosen);
    expect([store.load('s1', 1), store.load('s1', 2), store.load('s2', 1)]).toEqual([chosen, {}, {}]);
    store.save('s1', 2, { risposta_1: false });
    store.clear('s1', 1);
    expect([store.load('s1', 1), store.load('s1', 2)]).toEqual([{}, { risposta_1: false }]);
    // The router's own state is preserved.
    expect(history.state).toMatchObject({ idx: 2 });
  });

  test('reads answers from storage alone, and accepts only booleans', () => {
    store.save('s1', 1, chosen);
    history.state = null;
    expect(store.load('s1', 1)).toEqual(chosen);
    store.clear('s1', 1);
    expect(stored.size).toBe(0);
    for (const [text, answers] of [
      ['"yes"', {}],
      ['null', {}],
      ['{"risposta_1":"true","risposta_2":1}', {}],
      ['{"risposta_1":false,"risposta_2":null}', { risposta_1: false }],
      ['{"risposta_2":true}', { risposta_2: true }],
    ] as const) {
      stored.set('risposte-s1-1', text);
      expect(store.load('s1', 1)).toEqual(answers);
    }
  });
});

describe('diagnosis progress', () => {
  const at = (step: number) => ({ id: 'a', step, findings: {}, pass: 'secret' });

  test('resumes after a reload in the same tab, and in another tab without the pass', () => {
    storeProgress(at(3));
    expect(history.state).toEqual(expect.objectContaining({ idx: 2 }));
    expect(readTabProgress()).toEqual(at(3));
    expect(readProgress()).toEqual(at(3));
    expect([isStored(at(5)), isStored({ ...at(3), id: 'b' })]).toEqual([true, false]);
    history.state = null;
    expect([readTabProgress(), readProgress()]).toEqual([null, { ...at(3), pass: null }]);
    isAvailable = false;
    expect([readProgress().step, isStored(at(3))]).toEqual([-1, false]);
  });

  test.each([
    null,
    {},
    { ...at(1), id: 1 },
    { ...at(1), step: '1' },
    { ...at(1), findings: null },
    { step: 1, findings: {}, pass: null },
  ])('ignores %j', (diagnosis) => {
    history.state = { diagnosis };
    stored.set('diagnosi', JSON.stringify(diagnosis));
    expect([readTabProgress(), readProgress().step, isStored(at(1))]).toEqual([null, -1, false]);
  });
});

test('removes a pass from address bar and history, and leaves an address without one', () => {
  const take = (hash: string) => {
    vi.stubGlobal('location', { hash, pathname: '/prova' });
    return takePass();
  };
  expect([take(''), take('#'), replaced]).toEqual([null, null, []]);
  expect([take('#abc-123'), replaced]).toEqual(['abc-123', [[{ idx: 2 }, '', '/prova']]]);
});

test('generates a version 4 UUID over plain HTTP, and uses the browser’s if available', () => {
  const of = (byte: (place: number) => number) => {
    vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes.map((_, place) => byte(place)) });
    return randomUuid();
  };
  expect(of(() => 0xff)).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  expect(of((place) => place * 0x11)).toBe('00112233-4455-4677-8899-aabbccddeeff');
  vi.stubGlobal('crypto', { randomUUID: () => 'its own' });
  expect(randomUuid()).toBe('its own');
});
