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

/** How much light there is of each channel, 0 to 1 (WCAG). */
const lightOf = (hex: string) =>
  channelsOf(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

test('each is as bright as words bear: no brighter, and hardly darker', () => {
  fc.assert(
    fc.property(drawn, (colours) => {
      const { high = '', low = '' } = skyHues(colours) ?? {};
      for (const [sky, most] of [
        [high, 0.022],
        [low, 0.038],
      ] as const) {
        expect(luminanceOf(sky)).toBeLessThanOrEqual(most);
        expect(luminanceOf(sky), `${colours.join(' ')} became ${sky}`).toBeGreaterThan(most * 0.93);
      }
    }),
  );
});

test('no channel goes out, and none burns', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      const sky = skyHues([hex])?.low ?? '';
      const shares = lightOf(sky).map((light) => light / 0.038);
      // A step of a channel is up to a twentieth of what it has here.
      expect(Math.min(...shares), `${hex} became ${sky}`).toBeGreaterThan(0.27);
      expect(Math.max(...shares), `${hex} became ${sky}`).toBeLessThanOrEqual(4.2);
    }),
  );
});

test.each([
  ['#0000ff', 4.2],
  ['#ff0000', 2.8],
  ['#00ff00', 1.25],
])('a pure colour, %s, is as strong as it may be', (hex, most) => {
  const shares = lightOf(skyHues([hex])?.low ?? '').map((light) => light / 0.038);
  expect(Math.max(...shares)).toBeGreaterThan(most * 0.93);
});

test('what is nearly grey stays so, and grey wholly', () => {
  const spread = (hex: string) => {
    const lights = lightOf(skyHues([hex])?.low ?? '');
    return Math.max(...lights) / Math.min(...lights);
  };
  for (const grey of ['#000000', '#808080', '#ffffff']) expect(spread(grey), grey).toBe(1);
  expect(spread('#808082')).toBeLessThan(1.4);
  expect(spread('#808090')).toBeGreaterThan(1.5);
});

test('the cooler colour is above, in whatever order they were drawn; yellow glows as an ember does', () => {
  for (const two of [
    ['#c04040', '#4040c0'],
    ['#4040c0', '#c04040'],
  ]) {
    const { high = '', low = '' } = skyHues(two) ?? {};
    const [[red = 0, , blue = 0], [lowRed = 0, , lowBlue = 0]] = [channelsOf(high), channelsOf(low)];
    expect([blue > red, lowRed > lowBlue]).toEqual([true, true]);
  }
  const [red = 0, green = 0] = lightOf(skyHues(['#ffff00'])?.low ?? '');
  expect(green).toBeLessThan(red / 2);
});

test('of two the warmer one is below, by how red it is and not by how bright, and black is neither', () => {
  for (const [warm, cool] of [
    ['#300000', '#ff8080'],
    ['#ff8080', '#4040ff'],
    ['#300000', '#000000'],
    ['#000000', '#000030'],
  ] as const) {
    const both = { high: skyHues([cool])?.high, low: skyHues([warm])?.low };
    expect([skyHues([warm, cool]), skyHues([cool, warm])]).toEqual([both, both]);
  }
});
