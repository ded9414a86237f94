import { expect, it } from 'vitest';
import { lightTexts } from '../../src/texts/admin/media.ts';

it('lightTexts states the start time on 4G, in seconds or minutes', () => {
  expect(lightTexts.whole(31 * 1024 ** 2, 2)).toBe('Video intero: 31 MB, con il 4G parte in 2 s');
  expect(lightTexts.light(7.5 * 1024 ** 2, 1)).toBe('Video leggero: 7,5 MB, con il 4G parte in 1 s');
  expect(lightTexts.whole(900 * 1024 ** 2, 91)).toBe('Video intero: 900 MB, con il 4G parte in 2 minuti');
});
