import { cpus } from 'node:os';
import { quantile } from './harness/load.ts';
import type { Figures, Row, Suite, Table } from './harness/suite.ts';

const HEAD = `# Performance figures

Written by \`npm run bench\` (docs/decisions/091): each section shows its last run. Medians of the rounds; product and baseline run in turn, on
loopback, and the load generator runs on the same machine. Compare the last column: the ratio of the product to a bare server of the same parts.
`;

type Section = { heading: string; text: string };
type Measured = { rounds: number; load: readonly [number, number]; at: Date };

/** Returns the page with this section replaced and the others unchanged. */
export function pageOf(old: string, { heading, text }: Section, order: readonly string[]): string {
  const known = new Map(
    old.split(/^(?=## )/m).map((each) => [/^## (.*)/.exec(each)?.[1] ?? '', each.trim()]),
  );
  known.set(heading, text);
  const sections = order.map((each) => known.get(each)).filter((each) => each !== undefined);
  return `${[HEAD.trim(), ...sections].join('\n\n')}\n`;
}

/** Returns the section of a suite: its description, the machine, a table, and failed measurements. */
export function sectionOf(
  { heading, description }: Suite,
  table: Table,
  { rounds, load, at }: Measured,
): string {
  const rows = [...table.rows].flatMap(([title, row]) => unitsOf(row).map((unit) => rowOf(title, unit, row)));
  const [before, after] = load.map((one) => one.toFixed(1));
  const machine = `${at.toISOString().slice(0, 10)}, ${rounds} round${rounds === 1 ? '' : 's'}, ${cpus().length} processors (${cpus()[0]?.model ?? 'unknown'}); the machine's load was ${before} before and ${after} after.`;
  return [
    `## ${heading}`,
    description,
    machine,
    `| What | Unit | Product | Floor | Product / floor |\n| --- | --- | --- | --- | --- |\n${rows.join('\n')}`,
    ...new Set(table.notes),
    ...[...new Set(table.failures)].map((failure) => `**Not measured**: ${failure}`),
  ].join('\n\n');
}

const unitsOf = ({ product, baseline }: Row) => Object.keys(product[0] ?? baseline[0] ?? {});

const medianOf = (rounds: readonly Figures[], unit: string) =>
  quantile(
    rounds.map((figures) => figures[unit] ?? Number.NaN),
    0.5,
  );

/** Ratios of product to baseline by suite, measurement and unit, as kept in `ratios.json`. */
export type Ratios = Record<string, number>;

export function ratiosOf({ name }: Suite, { rows }: Table): Ratios {
  const ratios = [...rows].flatMap(([title, row]) =>
    unitsOf(row).map((unit) => {
      const ratio = medianOf(row.product, unit) / medianOf(row.baseline, unit);
      return [`${name}: ${title}, ${unit}`, ratio] as const;
    }),
  );
  return Object.fromEntries(
    ratios.filter(([, ratio]) => Number.isFinite(ratio)).map(([key, ratio]) => [key, Number(shown(ratio))]),
  );
}

/** A ratio that changed by less than this share is noise. */
const WORSE = 0.2;

/** Returns one line for each ratio that became worse: a lower rate, or a higher time, memory or processor time. */
export function worseThan(kept: Ratios, ratios: Ratios): string[] {
  return Object.entries(ratios).flatMap(([key, ratio]) => {
    const before = kept[key];
    if (before === undefined) return [];
    const change = key.endsWith('/s') ? before / ratio - 1 : ratio / before - 1;
    return change > WORSE ? [`${key}: ${shown(before)} → ${shown(ratio)}`] : [];
  });
}

function rowOf(title: string, unit: string, { product, baseline }: Row): string {
  const [productValue, baselineValue] = [medianOf(product, unit), medianOf(baseline, unit)];
  return `| ${title} | ${unit} | ${shown(productValue)} | ${shown(baselineValue)} | ${shown(productValue / baselineValue)} |`;
}

const shown = (value: number) =>
  Number.isFinite(value) ? (value >= 99.5 ? value.toFixed(0) : value.toPrecision(2)) : '–';
