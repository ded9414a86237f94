import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BARS, DRESSES } from '../../src/domain/dresses.ts';
import { contrast, tokensOf } from '../support/dress-tokens.ts';

/** The dresses' tokens, read from their files: each has all of them, and what is read on them can be read (WCAG AA). */

const WEB = join(import.meta.dirname, '../../src/web');
const [first, ...others] = DRESSES;
const files = [...[first, ...others].map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'];

const colours = (value: string): string[] => value.match(/#[0-9a-f]{6}\b/g) ?? [];

/** What is written, what it stands on, and the least contrast between them: 3 where the letters are large. */
const READ: [ink: string, grounds: string[], least: number][] = [
  ...['day', 'night'].flatMap((form): [string, string[], number][] => [
    [`${form}-ink`, ['background', 'card', 'card-deep', 'card-edge'].map((name) => `${form}-${name}`), 4.5],
    [`${form}-ink-soft`, ['background', 'card', 'card-deep'].map((name) => `${form}-${name}`), 4.5],
    [`${form}-danger`, [`${form}-card`], 4.5],
    [`${form}-focus`, [`${form}-background`, `${form}-card`], 3],
  ]),
  ['on-gold', ['gold-face'], 4.5],
  ['ivory', ['night-deep', 'night', 'rose', 'chosen', 'sky-night', 'sky-deep', 'sky-journey-high'], 4.5],
  ['ivory', ['sky-dusk', 'sky-dawn', 'sky-journey-low'], 3],
  ['blush', ['night-deep', 'night', 'sky-deep'], 4.5],
  ['gold', ['night-deep', 'night', 'sky-deep', 'sky-journey-high'], 4.5],
  ['wine', ['pass-light', 'pass-shade', 'pass-stub', 'sheet'], 4.5],
  ['pass-ink', ['pass-light', 'pass-shade', 'pass-stub'], 4.5],
  ['pass-ink-soft', ['pass-light', 'pass-shade', 'pass-stub'], 4.5],
  ['on-foil', ['foil'], 3],
];

describe.each(files)('%s', (file) => {
  const tokens = tokensOf(file);

  test('has every token', () => {
    expect([...tokens.keys()]).toEqual([...tokensOf(`dresses/${first}.css`).keys()]);
  });

  test.each(READ)('%s is read on %j', (ink, grounds, least) => {
    const [colour = ''] = colours(tokens.get(ink) ?? '');
    for (const ground of grounds) {
      const under = colours(tokens.get(ground) ?? '');
      expect(under.length, ground).toBeGreaterThan(0);
      for (const stop of under)
        expect(contrast(colour, stop), `${ink} on ${ground} ${stop}`).toBeGreaterThanOrEqual(least);
    }
  });
});

test.each(DRESSES)('the bars of %s are its grounds', (dress) => {
  const tokens = tokensOf(`dresses/${dress}.css`);
  expect(BARS[dress]).toEqual({
    day: tokens.get('day-background'),
    night: tokens.get('night-background'),
  });
});

test('no scene has a colour of its own', () => {
  const sheets = ['night', 'questions', 'action', 'closing', 'falling-hearts', 'phrase', 'journey'];
  for (const sheet of sheets)
    expect(colours(readFileSync(join(WEB, `scenes/${sheet}.module.css`), 'utf8')), sheet).toEqual([]);
});
