import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DRESSES } from '../../src/domain/configuration.ts';
import { luminanceOf, skyHues } from '../../src/domain/hues.ts';
import { contrast, tokensOf } from '../support/dress-tokens.ts';

const colour = fc
  .tuple(fc.nat(255), fc.nat(255), fc.nat(255))
  .map((channels) => `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`);
const drawn = fc.array(colour, { minLength: 1, maxLength: 2 });

const channelsOf = (hex: string) => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
const hexOf = (channels: number[]) =>
  `#${channels.map((each) => Math.round(each).toString(16).padStart(2, '0')).join('')}`;

/** Blends the brightest glow of the sky over a colour; the dress's file states it as `rgb(217 104 138 / 15%)`. */
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

describe.each([...DRESSES.map((dress) => `dresses/${dress}.css`), 'dev/bosco.css'])(
  'sky colours in %s',
  (file) => {
    const tokens = tokensOf(file);
    const glow = tokens.get('sky-glow') ?? '';

    test.each(['ivory', 'blush', 'gold'])('keeps %s readable on the sky of any picture', (ink) => {
      fc.assert(
        fc.property(drawn, (colours) => {
          const hues = skyHues(colours);
          if (hues === null) return;
          for (const ground of [hues.high, hues.low])
            expect(contrast(tokens.get(ink) ?? '', underGlow(ground, glow))).toBeGreaterThanOrEqual(4.5);
        }),
      );
    });
  },
);

test('keeps blended colours no brighter than the brighter one', () => {
  fc.assert(
    fc.property(drawn, fc.double({ min: 0, max: 1, noNaN: true }), (colours, share) => {
      const { high = '', low = '' } = skyHues(colours) ?? {};
      const below = channelsOf(low);
      const between = channelsOf(high).map((each, at) => each * share + (below[at] ?? 0) * (1 - share));
      // Channels are rounded by half a step.
      expect(luminanceOf(hexOf(between))).toBeLessThanOrEqual(luminanceOf(low) + 0.002);
    }),
  );
});

test('keeps the hue: no channel overtakes another', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      const { high = '', low = '' } = skyHues([hex]) ?? {};
      const ownChannels = channelsOf(hex);
      const pairs = [0, 1, 2].flatMap((a) => [0, 1, 2].map((b) => [a, b] as const));
      // Equal channels may diverge: yellow becomes an ember.
      const ranked = pairs.filter(([a, b]) => (ownChannels[a] ?? 0) < (ownChannels[b] ?? 0));
      for (const sky of [high, low].map(channelsOf))
        for (const [less, more] of ranked)
          expect(sky[less] ?? 0, `${hex} became ${sky.join(' ')}`).toBeLessThanOrEqual(sky[more] ?? 0);
    }),
  );
});

test('uses a single hue for the whole sky, and none without a colour', () => {
  expect([skyHues(null), skyHues([])]).toEqual([null, null]);
  expect(skyHues(['#3366aa'])).toEqual(skyHues(['#3366aa', '#3366aa']));
});

/** Relative light of each channel, 0 to 1 (WCAG). */
const lightOf = (hex: string) =>
  channelsOf(hex).map((channel) => {
    const value = channel / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });

test('makes each colour as bright as text allows, within 7 %', () => {
  fc.assert(
    fc.property(drawn, (colours) => {
      const { high = '', low = '' } = skyHues(colours) ?? {};
      for (const [sky, maxShare] of [
        [high, 0.022],
        [low, 0.038],
      ] as const) {
        expect(luminanceOf(sky)).toBeLessThanOrEqual(maxShare);
        expect(luminanceOf(sky), `${colours.join(' ')} became ${sky}`).toBeGreaterThan(maxShare * 0.93);
      }
    }),
  );
});

test('keeps every channel visible and below the maximum', () => {
  fc.assert(
    fc.property(colour, (hex) => {
      const sky = skyHues([hex])?.low ?? '';
      const shares = lightOf(sky).map((light) => light / 0.038);
      // One step of a channel is up to a twentieth of its value here.
      expect(Math.min(...shares), `${hex} became ${sky}`).toBeGreaterThan(0.27);
      expect(Math.max(...shares), `${hex} became ${sky}`).toBeLessThanOrEqual(4.2);
    }),
  );
});

test.each([
  ['#0000ff', 4.2],
  ['#ff0000', 2.8],
  ['#00ff00', 1.25],
])('makes the pure colour %s as strong as allowed', (hex, maxShare) => {
  const shares = lightOf(skyHues([hex])?.low ?? '').map((light) => light / 0.038);
  expect(Math.max(...shares)).toBeGreaterThan(maxShare * 0.93);
});

test('keeps almost grey colours almost grey, and grey ones grey', () => {
  const spread = (hex: string) => {
    const lights = lightOf(skyHues([hex])?.low ?? '');
    return Math.max(...lights) / Math.min(...lights);
  };
  for (const grey of ['#000000', '#808080', '#ffffff']) expect(spread(grey), grey).toBe(1);
  expect(spread('#808082')).toBeLessThan(1.4);
  expect(spread('#808090')).toBeGreaterThan(1.5);
});

test('turns yellow into an ember', () => {
  const [red = 0, green = 0] = lightOf(skyHues(['#ffff00'])?.low ?? '');
  expect(green).toBeLessThan(red / 2);
});

test('puts the warmer colour below, by its redness and not its brightness; black is neutral', () => {
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
