import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DRESSES } from '../../src/domain/dresses.ts';
import { luminanceOf, skyHues } from '../../src/domain/hues.ts';
import { contrast, tokensOf } from '../support/dress-tokens.ts';

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`);
const drawn = fc.array(colour, { minLength: 1, maxLength: 2 });

const channelsOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const hexOf = (channels: number[]) =>
  `#${channels.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;

/** The sky's glow at its brightest over a colour, as its dress's file has it: `rgb(217 104 138 / 15%)`. */
function underGlow(ground: string, glow: string): string {
  return [...glow.matchAll(/rgb\((\d+) (\d+) (\d+) \/ (\d+)%\)/g)].reduce(
    (under, [, red, green, blue, percent]) => {
      const over = [red, green, blue].map(Number);
      const share = Number(percent) / 100;
      return hexOf(channelsOf(under).map((channel, at) => channel * (1 - share) + (over[at] ?? 0) * share));
    },
    ground,
  );
}

describe.each([...DRESSES.map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'])('in %s', (file) => {
  const tokens = tokensOf(file);
  const glow = tokens.get('sky-glow') ?? '';

  test.each(['ivory', 'blush', 'gold'])('whatever the picture, %s is read on its sky', (ink) => {
    fc.assert(
      fc.property(drawn, (colours) => {
        const hues = skyHues(colours);
        if (hues === null) return;
        for (const ground of [hues.high, hues.low])
          expect(contrast(tokens.get(ink) ?? '', underGlow(ground, glow))).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});

test('a colour between the two is no brighter than the brighter one', () => {
  fc.assert(
    fc.property(drawn, fc.double({ min: 0, max: 1, noNaN: true }), (colours, share) => {
      const { high = '', low = '' } = skyHues(colours) ?? {};
      const below = channelsOf(low);
      const between = channelsOf(high).map((each, at) => each * share + (below[at] ?? 0) * (1 - share));
      // A channel is rounded by half a step.
      expect(luminanceOf(hexOf(between))).toBeLessThanOrEqual(luminanceOf(low) + 0.002);
    }),
  );
});

test('the hue stays what it was: no channel overtakes another', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      const { high = '', low = '' } = skyHues([hex]) ?? {};
      const own = channelsOf(hex);
      const pairs = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b] as const));
      // Two that are alike may part: of yellow an ember is made.
      const ranked = pairs.filter(([a, b]) => (own[a] ?? 0) < (own[b] ?? 0));
      for (const sky of [high, low].map(channelsOf))
        for (const [less, more] of ranked)
          expect(sky[less] ?? 0, `${hex} became ${sky.join(' ')}`).toBeLessThanOrEqual(sky[more] ?? 0);
    }),
  );
});

test('a picture without colour leaves the sky what its dress makes it', () => {
  expect([skyHues(null), skyHues([])]).toEqual([null, null]);
});

test('one hue is the whole sky’s', () => {
  expect(skyHues(['#3366aa'])).toEqual(skyHues(['#3366aa', '#3366aa']));
});
