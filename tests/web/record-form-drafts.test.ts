import { describe, expect, test } from 'vitest';
import { at, form, kept, open, saved, setTheForm, there, wait, write } from '../support/record-form.ts';

/** A form's drafts: what is kept of what was typed, and what is offered of it. */

setTheForm();

describe('what was typed and not saved', () => {
  const DRAFT = 'bozza:viaggio';
  const draft = (more: object = {}) => ({
    values: { titolo: 'Bozza', nota: 'Bella' },
    before: { titolo: 'Roma', nota: 'Bella' },
    versione: 1,
    ...more,
  });

  test('is kept, and forgotten once it is saved', async () => {
    await open();
    await write('titolo', 'Paris');
    expect(JSON.parse(kept.get(DRAFT) ?? '')).toEqual(draft({ values: { titolo: 'Paris', nota: 'Bella' } }));
    await wait(1_000);
    expect(kept.size).toBe(0);
  });

  test('is offered by the next page: taken up it is saved, discarded it is gone', async () => {
    kept.set(DRAFT, JSON.stringify(draft()));
    await open();
    expect([form().draft.offered, form().values.titolo, kept.size]).toEqual([true, 'Roma', 1]);
    await at.does(() => form().draft.restore());
    expect([form().draft.offered, form().values.titolo]).toEqual([false, 'Bozza']);
    await wait(1_000);
    expect([there.titolo, kept.size]).toEqual(['Bozza', 0]);
    await at.leave();
    kept.set(DRAFT, JSON.stringify(draft()));
    await open();
    await at.does(() => form().draft.discard());
    expect([form().draft.offered, form().values.titolo, kept.size]).toEqual([false, 'Bozza', 0]);
  });

  test('of a version that this record never had is of one that is gone, and is saved anew', async () => {
    kept.set(DRAFT, JSON.stringify(draft({ versione: 9 })));
    await open();
    await at.does(() => form().draft.restore());
    await wait(1_000);
    expect([saved[0]?.versione, there.titolo]).toEqual([1, 'Bozza']);
  });

  test.each<[string, unknown]>([
    ['is what is stored already', draft({ values: { titolo: 'Roma', nota: 'Bella' } })],
    ['has other fields', draft({ values: { titolo: 'Bozza' } })],
    ['has none before it', { values: draft().values, versione: 1 }],
    ['says no version', { ...draft(), versione: '1' }],
    ['is nothing', null],
  ])('that %s isn’t offered', async (_what, left) => {
    kept.set(DRAFT, JSON.stringify(left));
    await open();
    expect(form().draft.offered).toBe(false);
  });
});
