/** Colours by ISO/IEC 23091-2: primaries, and the transfer function from numbers to light. */
export type Nclx = { primaries: number; transfer: number };

type Primaries = readonly (readonly [number, number, number])[];

/** Red, green and blue in the ICC's own space (XYZ under D50). */
const SRGB: Primaries = [
  [0.4361, 0.2225, 0.0139],
  [0.3851, 0.7169, 0.0971],
  [0.1431, 0.0606, 0.7142],
];
const PRIMARIES: Record<number, Primaries> = {
  // BT.2020
  9: [
    [0.6734, 0.279, -0.0019],
    [0.1656, 0.6753, 0.03],
    [0.1251, 0.0456, 0.7974],
  ],
  // Display P3
  12: [
    [0.5151, 0.2412, -0.0011],
    [0.2919, 0.6922, 0.0419],
    [0.1572, 0.0666, 0.7841],
  ],
};

/** Luminance of white on a page, and the highest one distinguished from white, in candelas per square metre. */
const WHITE = 203;
const BRIGHTEST = 1_000;

/** Functions from a value, 0 to 1, to light, 0 to 1. */
const TRANSFERS: Record<number, (value: number) => number> = {
  4: (value) => value ** 2.2,
  5: (value) => value ** 2.8,
  8: (value) => value,
  16: (value) => onAPage(perceived(value)),
  18: (value) => onAPage(BRIGHTEST * hybrid(value) ** 1.2),
};
/** sRGB curve, used for BT.709 and all functions not listed above: BT.709's curve is a camera's, and a screen displays it with its own. */
const srgb = (value: number) => (value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);

/** Returns an ICC profile, or null if the colours are already sRGB. */
export function profileOf({ primaries, transfer }: Nclx): Buffer | null {
  const colours = PRIMARIES[primaries];
  const light = TRANSFERS[transfer];
  return colours === undefined && light === undefined ? null : profile(colours ?? SRGB, light ?? srgb);
}

/** Converts PQ (SMPTE ST 2084) to candelas per square metre. */
function perceived(value: number): number {
  const root = value ** (1 / 78.843_75);
  return (
    10_000 * (Math.max(0, root - 0.835_937_5) / (18.851_562_5 - 18.687_5 * root)) ** (1 / 0.159_301_757_812_5)
  );
}

/** Converts HLG (BT.2100) to light of the scene. */
const hybrid = (value: number) =>
  value <= 0.5 ? value ** 2 / 3 : (Math.exp((value - 0.559_910_73) / 0.178_832_77) + 0.284_668_92) / 12;

const KNEE = 0.6;

/** Returns light as a page shows it: unchanged up to the knee, then compressed, so that highlights above white keep some detail. */
function onAPage(candelas: number): number {
  const [light, most] = [candelas / WHITE, (BRIGHTEST / WHITE - KNEE) / (1 - KNEE)];
  if (light <= KNEE) return light;
  const above = Math.min(most, (light - KNEE) / (1 - KNEE));
  return KNEE + ((1 - KNEE) * above * (1 + above / most ** 2)) / (1 + above);
}

const STEPS = 4_096;
const HEAD = 128;

function profile(primaries: Primaries, light: (value: number) => number): Buffer {
  const curve = Buffer.alloc(12 + 2 * STEPS);
  curve.write('curv', 'latin1');
  curve.writeUInt32BE(STEPS, 8);
  for (let step = 0; step < STEPS; step += 1)
    curve.writeUInt16BE(Math.round(65_535 * Math.min(1, light(step / (STEPS - 1)))), 12 + 2 * step);
  const parts: [string[], Buffer][] = [
    [['desc'], description()],
    [['cprt'], Buffer.from('text\0\0\0\0none\0\0\0\0', 'latin1')],
    [['wtpt'], place([0.9642, 1, 0.8249])],
    ...['rXYZ', 'gXYZ', 'bXYZ'].map((name, at): [string[], Buffer] => [
      [name],
      place(primaries[at] ?? [0, 0, 0]),
    ]),
    [['rTRC', 'gTRC', 'bTRC'], curve],
  ];
  return assembled(parts);
}

function assembled(parts: readonly [string[], Buffer][]): Buffer {
  const count = parts.flatMap(([names]) => names).length;
  const table = Buffer.alloc(4 + 12 * count);
  table.writeUInt32BE(count, 0);
  let [at, end] = [4, HEAD + table.length];
  for (const [names, bytes] of parts) {
    for (const name of names) {
      table.write(name, at, 'latin1');
      table.writeUInt32BE(end, at + 4);
      table.writeUInt32BE(bytes.length, at + 8);
      at += 12;
    }
    end += bytes.length;
  }
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(end, 0);
  head.writeUInt32BE(0x02_40_00_00, 8);
  head.write('mntrRGB XYZ ', 12, 'latin1');
  head.write('acsp', 36, 'latin1');
  place([0.9642, 1, 0.8249]).copy(head, 68, 8);
  return Buffer.concat([head, table, ...parts.map(([, bytes]) => bytes)]);
}

/** Returns a point of the ICC's space as fixed-point numbers with 16 fractional bits. */
function place(point: readonly number[]): Buffer {
  const bytes = Buffer.alloc(20);
  bytes.write('XYZ ', 'latin1');
  point.forEach((value, at) => bytes.writeInt32BE(Math.round(value * 65_536), 8 + 4 * at));
  return bytes;
}

function description(): Buffer {
  const bytes = Buffer.alloc(104);
  bytes.write('desc', 'latin1');
  bytes.writeUInt32BE(5, 8);
  bytes.write('nclx', 12, 'latin1');
  return bytes;
}
