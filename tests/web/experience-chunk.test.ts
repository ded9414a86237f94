import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type * as Chunk from '../../src/web/experience-chunk.ts';

const PAGE = '../../src/web/visitor/experience/page.tsx';

let did: string[];
let chunk: typeof Chunk;

beforeEach(async () => {
  vi.resetModules();
  did = [];
  vi.doMock(PAGE, () => ({
    prepareLetter: async () => did.push('prepared'),
    openLetter: async () => {
      did.push('opened');
      throw new Error('no room for it');
    },
  }));
  chunk = await import('../../src/web/experience-chunk.ts');
});
afterEach(() => {
  vi.doUnmock(PAGE);
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('while she types the letter is made ready, but not for who saves data', async () => {
  vi.stubGlobal('navigator', { connection: { saveData: true } });
  chunk.prepareExperience();
  await chunk.loadExperience();
  expect(did).toEqual([]);
  for (const connection of [undefined, { saveData: false }]) {
    vi.stubGlobal('navigator', { connection });
    chunk.prepareExperience();
  }
  await vi.waitFor(() => expect(did).toEqual(['prepared', 'prepared']));
});

test('a letter that can’t be opened is nothing to stumble over, and the code is fetched once', async () => {
  expect(chunk.loadExperience()).toBe(chunk.loadExperience());
  chunk.openWith(({ openLetter }) => openLetter());
  await vi.waitFor(() => expect(did).toEqual(['opened']));
});
