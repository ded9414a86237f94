import { describe, expect, test } from 'vitest';
import { lineBreaks } from '../../src/domain/phrases.ts';

/** Approximate widths of the serif's letters, in em. */
const widthOf = (letter: string) =>
  /[ijltfI.,:;!'’]/.test(letter)
    ? 0.29
    : /[mwMW]/.test(letter)
      ? 0.86
      : /[A-ZÈ]/.test(letter)
        ? 0.66
        : /[rsc]/.test(letter)
          ? 0.44
          : 0.53;
const SPACE = 0.24;
const measured = (text: string) =>
  text
    .split(' ')
    .map((word) => ({ text: word, width: [...word].reduce((sum, letter) => sum + widthOf(letter), SPACE) }));
/** Returns the width of a line in em on a screen of this many pixels, at the text's font size. */
function roomFor({ length }: string, screen: number): number {
  const size =
    length <= 24
      ? Math.max(36.8, 0.114 * screen)
      : length <= 60
        ? Math.max(30.4, 0.086 * screen)
        : Math.max(26.4, 0.07 * screen);
  return (screen - (screen === 320 ? 38.4 : 48)) / size;
}
function set(text: string, screen: number): string {
  const words = measured(text);
  const breaks = lineBreaks(words, SPACE + roomFor(text, screen));
  return words.map((word, index) => (breaks.includes(index) ? '/ ' : '') + word.text).join(' ');
}

/** Line breaks at 390 pixels, and at 320 if they differ. */
const PHRASES: [at390: string, at320?: string][] = [
  [
    'Ciao, Giulia. Mettiti comoda: / per qualche minuto / non devi fare niente.',
    'Ciao, Giulia. / Mettiti comoda: / per qualche minuto / non devi fare niente.',
  ],
  [
    'Era una sera / di pioggia, / e tu avevi dimenticato / l’ombrello.',
    'Era una sera / di pioggia, e tu avevi / dimenticato / l’ombrello.',
  ],
  ['Io ti ho prestato il mio.', 'Io ti ho prestato / il mio.'],
  [
    'Mille giorni, / e ancora mi batte il cuore / quando apri la porta.',
    'Mille giorni, e ancora / mi batte il cuore / quando apri la porta.',
  ],
  ['Oggi / ti sei laureata.'],
  ['Dottoressa!'],
  ['Hai studiato di notte, / hai pianto, hai riso, / e non hai mai mollato.'],
  ['Chiudi gli occhi. / Respira. Adesso aprili.', 'Chiudi gli occhi. / Respira. / Adesso aprili.'],
  ['Se potessi scegliere / di nuovo, sceglierei te.', 'Se potessi / scegliere di nuovo, / sceglierei te.'],
  [
    'Grazie di esserci stata / quando non c’era / nessun altro.',
    'Grazie di esserci / stata quando / non c’era / nessun altro.',
  ],
  [
    'Hai presente quella canzone / che cantavi in macchina? / La sto ascoltando adesso.',
    'Hai presente quella / canzone che cantavi / in macchina? La sto / ascoltando adesso.',
  ],
  ['Voglio invecchiare / con te. Lentamente.'],
  [
    'You are the best thing / that ever happened to me, / and I love you.',
    'You are the best thing / that ever happened / to me, and I love you.',
  ],
];

test.each(PHRASES)('breaks «%s»', (at390, at320 = at390) => {
  const text = at390.replaceAll('/ ', '');
  expect([set(text, 390), set(text, 320)]).toEqual([at390, at320]);
});

describe('lineBreaks', () => {
  const of = (text: string, room: number) => lineBreaks(measured(text), SPACE + room);

  test('keeps a fitting line whole, and gives a word that is too long its own line', () => {
    expect(of('', 5)).toEqual([]);
    expect(of('Amore mio', 40)).toEqual([]);
    expect(of('Supercalifragilistichespiralidoso amore mio', 8)).toEqual([1]);
  });

  test('ends with a single word only if it is a sentence', () => {
    expect(of('Voglio restare con te domani', 11.5)).toEqual([2]);
    expect(of('Voglio restare con te. Domani.', 11.5)).toEqual([4]);
  });
});
