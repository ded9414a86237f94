import { expect, test } from 'vitest';
import { CHAT_PROBLEMS, looksOn } from '../../src/domain/channels.ts';
import { CHAT_SEARCH } from '../../src/domain/limits.ts';

test('a chat is looked for while nothing speaks against it, and not for ever', () => {
  expect(looksOn(1, null)).toBe(true);
  expect(looksOn(CHAT_SEARCH.looks - 1, null)).toBe(true);
  expect(looksOn(CHAT_SEARCH.looks, null)).toBe(false);
  expect(CHAT_PROBLEMS.filter((problem) => looksOn(1, problem))).toEqual(['UNREACHABLE']);
  expect(looksOn(CHAT_SEARCH.looks, 'UNREACHABLE')).toBe(false);
});
