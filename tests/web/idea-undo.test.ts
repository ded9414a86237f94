import { expect, test } from 'vitest';
import { withoutIdea } from '../../src/web/admin/components/suggestions/idea-undo.ts';

const before = { prima: 'Mia?', seconda: '' };
const idea = { prima: 'Idea?', seconda: 'Altra?' };

test('an idea that stands as it was taken gives way to what stood there', () => {
  expect(withoutIdea(idea, before, idea)).toEqual({ back: before, changed: false });
});

test('what somebody has made of it stays, field by field', () => {
  const now = { prima: 'Idea, cambiata?', seconda: 'Altra?' };
  expect(withoutIdea(idea, before, now)).toEqual({ back: { seconda: '' }, changed: true });
  expect(withoutIdea(idea, before, { prima: 'x', seconda: 'y' })).toEqual({ back: {}, changed: true });
});

test('fields it wasn’t taken into are nobody’s business', () => {
  expect(
    withoutIdea<typeof before>({ prima: 'Idea?' }, before, { prima: 'Idea?', seconda: 'scritta dopo' }),
  ).toEqual({
    back: { prima: 'Mia?' },
    changed: false,
  });
});
