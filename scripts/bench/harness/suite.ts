import { memoryOf, type ServerUnderTest } from './servers.ts';

/** What was found, by its unit. */
export type Figures = Record<string, number>;
/** A row by its title: what each round found, of the product and of its floor. */
export type Row = { product: Figures[]; baseline: Figures[] };
export type Table = {
  rows: Map<string, Row>;
  /** What could not be measured, and why: the run has failed. */
  failures: string[];
  /** What was left out, and why: it hasn't. */
  notes: string[];
};

export type Sizes = {
  rounds: number;
  requests: number;
  ranges: number;
  visitors: number[];
  /** Clients that never read, and visitors beside them. */
  deaf: [number, number];
  newcomers: number;
  /** Rows of a table, few and many. */
  rows: [number, number];
  /** Of a file to upload. */
  uploadBytes: number;
};

/** What was started is ended by whoever runs the part, also where it took too long. */
export type Cleanup = { push(end: () => Promise<unknown>): void };
export type Bench = { sizes: Sizes; table: Table; ends: Cleanup };

/** What is measured together, and can be asked for alone. */
export type Suite = {
  name: string;
  heading: string;
  /** What is done, and what the floor does instead. */
  words: string;
  run(bench: Bench): Promise<void>;
};

export type Measure = {
  title: string;
  /** How long it may take on either side, in ms, where that is more than usual. */
  patience?: number;
  measure(contender: ServerUnderTest): Promise<Figures>;
};

/** No row takes longer than this, in ms, on either side, unless it says so. */
const PATIENCE_MS = 120_000;

export function emptyTable(): Table {
  return { rows: new Map(), failures: [], notes: [] };
}

/** Measures the product, then its floor: both meet the same minute. What fails is written down, and the rest goes on. */
export async function compare(
  table: Table,
  { title, patience = PATIENCE_MS, measure }: Measure,
  [product, floor]: readonly [ServerUnderTest, ServerUnderTest],
): Promise<void> {
  for (const [side, contender] of [['product', product] as const, ['baseline', floor] as const])
    try {
      note(table, title, side, await inTime(measure(contender), patience));
    } catch (error) {
      const where = side === 'product' ? '' : ' (its floor)';
      table.failures.push(`${title}${where}: ${messageOf(error)}`);
    }
  console.log(`  ${title} ${JSON.stringify(table.rows.get(title) ?? 'failed')}`);
}

/** The row of what it takes to start. */
export function noteStart(
  table: Table,
  title: string,
  pair: readonly [ServerUnderTest, ServerUnderTest],
): void {
  for (const [place, side] of (['product', 'baseline'] as const).entries()) {
    const contender = pair[place];
    if (contender) note(table, title, side, { ms: contender.readyMs, 'idle MB': memoryOf(contender) });
  }
}

export function note({ rows }: Table, title: string, side: keyof Row, figures: Figures): void {
  const row = rows.get(title) ?? { product: [], baseline: [] };
  row[side].push(figures);
  rows.set(title, row);
}

/** Rejects where it takes longer, in ms. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it took more than ${ms / 1_000} s`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** In one line, as it stands in a page. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
