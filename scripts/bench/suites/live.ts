import { revocation, revocationWithUnreadStreams } from '../harness/revocation.ts';
import { bothOnSqlite, inRounds } from '../harness/rounds.ts';
import { compare, type Suite } from '../harness/suite.ts';

/** The revocation of a code and its arrival at all connected visitors. */
export const live: Suite = {
  name: 'live',
  heading: 'Live',
  description: 'The floor: bare event streams of Hono, told one after the other.',
  run: (bench) =>
    inRounds(bench, async (ends) => {
      const pair = await bothOnSqlite(ends);
      for (const [code, visitors] of bench.sizes.visitors.entries())
        await compare(bench.table, revocation(visitors, code), pair);
      const [deaf, reading] = bench.sizes.deaf;
      await compare(
        bench.table,
        revocationWithUnreadStreams(reading, deaf, bench.sizes.visitors.length),
        pair,
      );
    }),
};
