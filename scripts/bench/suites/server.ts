import { entries, newcomers, visits, warmUp } from '../harness/measures.ts';
import { bothOnSqlite, inRounds } from '../harness/rounds.ts';
import { compare, noteStart, type Suite } from '../harness/suite.ts';

/** Starts, entries, and the most frequent calls of a visit. */
export const server: Suite = {
  name: 'server',
  heading: 'The server on SQLite',
  description:
    'The floor: Hono on Node’s server; an entry is three rows and a counter in node:sqlite, one durable commit for all that came in a turn; a resume is one stored row, a heartbeat a word.',
  run: (bench) =>
    inRounds(bench, async (ends) => {
      const { table, sizes } = bench;
      const pair = await bothOnSqlite(ends);
      noteStart(table, 'Start to ready', pair);
      for (const contender of pair) await warmUp(contender, sizes.requests / 4);
      const measures = [
        ...[1, 32, 128].map((atOnce) => entries(sizes.requests, atOnce)),
        ...visits(sizes.requests, 32),
        newcomers(sizes.newcomers),
      ];
      for (const measure of measures) await compare(table, measure, pair);
    }),
};
