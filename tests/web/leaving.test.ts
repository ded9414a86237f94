import { expect, test, vi } from 'vitest';
import { leaving } from '../../src/web/admin/components/forms/leaving.ts';

type Form = Parameters<typeof leaving>[0][number];

const form = (change: Partial<Form> = {}): Form => ({
  dirty: true,
  saving: false,
  failure: null,
  saveQuietly: vi.fn<() => void>(),
  draft: { discard: vi.fn<() => void>() },
  ...change,
});

test('a page whose forms are as they were is left without a word', () => {
  const guard = leaving([form({ dirty: false, saving: true, failure: 'no' })]);
  expect([guard.when, guard.saving, guard.asks, guard.onSave]).toEqual([false, false, false, null]);
});

test('what can be saved is, and what can’t is asked about', () => {
  const [savable, wrong, untouched] = [form(), form({ saveQuietly: null }), form({ dirty: false })];
  const guard = leaving([savable, wrong, untouched]);
  guard.onSave?.();
  expect(savable.saveQuietly).toHaveBeenCalledOnce();
  expect(untouched.saveQuietly).not.toHaveBeenCalled();
  expect([guard.when, guard.asks]).toEqual([true, false]);
  expect(leaving([wrong, untouched]).onSave).toBeNull();
});

test('one form under way or refused is enough to wait and to ask', () => {
  const guard = leaving([form(), form({ saving: true, failure: 'no' })]);
  expect([guard.saving, guard.asks]).toEqual([true, true]);
});

test('who leaves all the same gives up what was typed, and nothing else', () => {
  const [typed, untouched] = [form(), form({ dirty: false })];
  leaving([typed, untouched]).onLeave?.();
  expect(typed.draft.discard).toHaveBeenCalledOnce();
  expect(untouched.draft.discard).not.toHaveBeenCalled();
});
