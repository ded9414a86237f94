import { memoryOf, type ServerUnderTest } from './servers.ts';

/** Results by unit. */
export type Figures = Record<string, number>;
/** Results of each round, for the product and its baseline. */
export type Row = { product: Figures[]; baseline: Figures[] };
export type Table = {
  rows: Map<string, Row>;
  /** Failed measurements with their reason; the run has failed. */
  failures: string[];
  /** Omitted measurements with their reason; the run has not failed. */
  notes: string[];
};

export type Sizes = {
  rounds: number;
  requests: number;
  ranges: number;
  visitors: number[];
  /** Number of clients that never read, and of visitors next to them. */
  deaf: [number, number];
  newcomers: number;
  /** Small and large number of rows in a table. */
  rows: [number, number];
  /** Size of an uploaded file. */
  uploadBytes: number;
};

/** Cleanups that the suite's runner calls, also after a timeout. */
export type Cleanup = { push(end: () => Promise<unknown>): void };
export type Bench = { sizes: Sizes; table: Table; ends: Cleanup };

/** Measurements that belong together and can be run separately. */
export type Suite = {
  name: string;
  heading: string;
  /** Description of the suite and of its baseline. */
  description: string;
  run(bench: Bench): Promise<void>;
};

export type Measure = {
  title: string;
  /** Timeout on either side in ms, if longer than usual. */
  timeoutMs?: number;
  measure(contender: ServerUnderTest): Promise<Figures>;
};

/** Default timeout of a row on either side, in ms. */
const TIMEOUT_MS = 120_000;

export function emptyTable(): Table {
  return { rows: new Map(), failures: [], notes: [] };
}

/**
 * Measures the product, then its baseline, so that both meet the same conditions. Failures are recorded and the run
 * continues.
 */
export async function compare(
  table: Table,
  { title, timeoutMs = TIMEOUT_MS, measure }: Measure,
  [product, floor]: readonly [ServerUnderTest, ServerUnderTest],
): Promise<void> {
  for (const [side, contender] of [['product', product] as const, ['baseline', floor] as const])
    try {
      note(table, title, side, await inTime(measure(contender), timeoutMs));
    } catch (error) {
      const where = side === 'product' ? '' : ' (its floor)';
      table.failures.push(`${title}${where}: ${messageOf(error)}`);
    }
  console.log(`  ${title} ${JSON.stringify(table.rows.get(title) ?? 'failed')}`);
}

/** Records the start time and the idle memory. */
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

/** Rejects if the work takes longer than `ms`. */
export function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`it took more than ${ms / 1_000} s`)), ms);
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

/** Returns the error's message as one line for the page. */
export function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.split('\n', 1)[0]?.slice(0, 200) ?? '';
}
