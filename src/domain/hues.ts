/** Two colours of the sky (`#rrggbb`): of its height, and of the light that rises from below. */
export type Hues = { high: string; low: string };

/** How bright each is, in luminance (0 to 1): dark enough for every text of every dress on it, and for the sky's glow between (AA). */
const LUMINANCE = { high: 0.022, low: 0.038 };
/** How colourful: no channel has less than this share of the luminance, and none more than so many times of it, so that blue doesn't burn. */
const LEAST = 0.3;
const MOST = 4.2;
/** A colour is made so much stronger at most: what is nearly grey stays that. */
const STRONGER = 6;
/** Where red is strongest, green has no more than this share of it: dark yellow is mud, and an ember is not. */
const EMBER = 0.22;

/**
 * The sky's colours by those of a picture: their hues, as dark as words need it and as colourful as the evening is. Null where the picture has
 * none, or nobody has looked at it yet: then the sky has its dress's own. The cooler one is above, as in every evening's sky.
 * @param drawn one or two colours of a picture (`#rrggbb`)
 */
export function skyHues(drawn: readonly string[] | null): Hues | null {
  const [high, low = high] = (drawn ?? []).toSorted((a, b) => warmth(a) - warmth(b));
  if (high === undefined || low === undefined) return null;
  return { high: toned(high, LUMINANCE.high), low: toned(low, LUMINANCE.low) };
}

type Linear = [red: number, green: number, blue: number];

/** The same hue in this luminance. */
function toned(colour: string, luminance: number): string {
  const [red, green, blue] = linearOf(colour);
  const isWarm = red >= green && red >= blue;
  const light: Linear = [red, isWarm ? Math.min(green, Math.max(EMBER * red, blue)) : green, blue];
  const own = luminanceIn(light);
  // How far each channel lies from grey, in shares of the luminance.
  const from = light.map((channel) => (own === 0 ? 0 : channel / own - 1));
  const stronger = Math.min(
    STRONGER,
    (1 - LEAST) / -Math.min(...from, -Number.EPSILON),
    (MOST - 1) / Math.max(...from, Number.EPSILON),
  );
  return `#${from.map((share) => hex(luminance * (1 + stronger * share))).join('')}`;
}

/** How much more red than blue a colour has. */
function warmth(colour: string): number {
  const [red, , blue] = linearOf(colour);
  return (red - blue) / (red + blue || 1);
}

/** How bright a colour (`#rrggbb`) is to the eye, 0 to 1 (WCAG). */
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
  // Rounded down: never brighter than was asked for.
  return Math.floor(value * 255)
    .toString(16)
    .padStart(2, '0');
}
