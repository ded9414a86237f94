import type { Installation, ServerUnderTest } from './servers.ts';
import { prepareHome, startProduct, startSqliteBaseline } from './servers.ts';
import type { Bench, Cleanup } from './suite.ts';

/** Runs the rounds in sequence; each ends what it started before the next. */
export async function inRounds(
  { sizes, ends }: Bench,
  round: (ends: Cleanup) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < sizes.rounds; done += 1) {
    const own = createCleanup();
    ends.push(own.all);
    try {
      await round(own);
    } finally {
      await own.all();
    }
  }
}

/** Collects cleanups and runs them in reverse order. A cleanup that is added after the end runs at once. */
export function createCleanup(): Cleanup & { all(): Promise<void> } {
  const open: (() => Promise<unknown>)[] = [];
  let over = false;
  return {
    push(end) {
      open.push(end);
      if (over) void end().catch(() => undefined);
    },
    async all() {
      over = true;
      for (let end = open.pop(); end !== undefined; end = open.pop()) await end().catch(() => undefined);
    },
  };
}

/** Starts the product on SQLite and its baseline for this round. */
export async function bothOnSqlite(
  ends: Cleanup,
  home?: Installation,
): Promise<readonly [ServerUnderTest, ServerUnderTest & { folder: string }]> {
  const product = await startProduct(ends, home ?? (await prepareHome(ends)));
  return [product, await startSqliteBaseline(ends)];
}
