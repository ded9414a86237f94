import { expect, test } from 'vitest';
import { soundTexts } from '../../src/texts/admin/sounds.ts';

test.each([
  ['ita', null, 2, 'Traccia 2 · italiano · stereo'],
  ['fre', 'VO', 6, 'Traccia 2 · francese · VO · 5.1'],
  ['und', ' ', 1, 'Traccia 2 · mono'],
  ['!', 'Commento', 8, 'Traccia 2 · Commento · 7.1'],
  [null, null, 4, 'Traccia 2 · 4 canali'],
])('a sound in «%s» called «%s» of %i channels is «%s»', (language, title, channels, words) => {
  expect(soundTexts.option({ language, title, channels }, 1)).toBe(words);
});
