/** Numbers that FFmpeg's programs print as names. What isn't here is «not said» (2) or «none» (-99). */
const CODE_POINTS: Record<string, number> = {
  bt709: 1,
  bt470m: 4,
  bt470bg: 5,
  smpte170m: 6,
  smpte240m: 7,
  bt2020: 9,
  bt2020nc: 9,
  bt2020c: 10,
  smpte431: 11,
  smpte432: 12,
  'bt2020-10': 14,
  'bt2020-12': 15,
  smpte2084: 16,
  'arib-std-b67': 18,
};
const PROFILES: Record<string, number> = {
  'Constrained Baseline': 578,
  Baseline: 66,
  Main: 77,
  High: 100,
  LC: 1,
};

export const codePointOf = (name: string | undefined) => CODE_POINTS[name ?? ''] ?? 2;
export const profileOf = (name: string | undefined) => PROFILES[name ?? ''] ?? -99;
