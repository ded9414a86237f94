import type { Hues } from '../contract/model.ts';

export type { Hues } from '../contract/model.ts';

/** Luminance of each (0 to 1): dark enough for every text of every dress and for the sky's glow between them (AA). */
const LUMINANCE = { high: 0.022, low: 0.038 };
/** Smallest and largest share of the luminance per channel; the upper bound prevents glaring blue. */
const MIN_SHARE = 0.3;
const MAX_SHARE = 4.2;
/** Maximum factor by which saturation increases, so that an almost grey colour stays so. */
const MAX_SATURATION = 6;
/** Maximum share of green where red is strongest: dark yellow looks like mud, an ember does not. */
const MAX_EMBER_GREEN = 0.22;

/**
 * Returns the sky's colours for those of a picture: the same hues, as dark as text requires and as saturated as the evening.
 * Returns null if the picture has none or they aren't computed yet; the sky then uses its dress's colours. The cooler one is at the top.
 * @param drawn one or two colours of a picture (`#rrggbb`)
 */
export function skyHues(drawn: readonly string[] | null): Hues | null {
  const [high, low = high] = (drawn ?? []).toSorted((a, b) => warmth(a) - warmth(b));
  if (high === undefined || low === undefined) return null;
  return { high: adjustLuminance(high, LUMINANCE.high), low: adjustLuminance(low, LUMINANCE.low) };
}

type Linear = [red: number, green: number, blue: number];

/** Returns the same hue at this luminance. */
function adjustLuminance(colour: string, luminance: number): string {
  const [red, green, blue] = linearOf(colour);
  const isWarm = red >= green && red >= blue;
  const light: Linear = [red, isWarm ? Math.min(green, Math.max(MAX_EMBER_GREEN * red, blue)) : green, blue];
  const current = luminanceIn(light);
  // Distance of each channel from grey, in shares of the luminance.
  const from = light.map((channel) => (current === 0 ? 0 : channel / current - 1));
  const stronger = Math.min(
    MAX_SATURATION,
    (1 - MIN_SHARE) / -Math.min(...from, -Number.EPSILON),
    (MAX_SHARE - 1) / Math.max(...from, Number.EPSILON),
  );
  return `#${from.map((share) => hex(luminance * (1 + stronger * share))).join('')}`;
}

/** Returns how much more red than blue a colour has, from -1 to 1. */
function warmth(colour: string): number {
  const [red, , blue] = linearOf(colour);
  return (red - blue) / (red + blue || 1);
}

/** Returns the relative luminance of a colour (`#rrggbb`), 0 to 1 (WCAG). */
export const luminanceOf = (colour: string): number => luminanceIn(linearOf(colour));

const luminanceIn = ([red, green, blue]: Linear) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

function linearOf(colour: string): Linear {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function hex(linear: number): string {
  const value = linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  // Rounded down, so it is never brighter than requested.
  return Math.floor(value * 255)
    .toString(16)
    .padStart(2, '0');
}
