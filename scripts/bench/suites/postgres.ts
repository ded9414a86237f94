import { Client } from 'pg';
import { ownPostgres } from '../../../tests/support/own-postgres.ts';
import { entries, warmUp } from '../harness/measures.ts';
import { revocation } from '../harness/revocation.ts';
import { inRounds } from '../harness/rounds.ts';
import { prepareHome, startBaseline, startProduct } from '../harness/servers.ts';
import { type Cleanup, compare, noteStart, type Suite } from '../harness/suite.ts';

const NODES = 2;

/** Entries and revocations with two nodes on one PostgreSQL. */
export const postgres: Suite = {
  name: 'postgres',
  heading: 'Two nodes on PostgreSQL',
  description:
    'PostgreSQL is the tests’ own, as durable as it comes. The floor: two of Hono on Node’s server with `pg`, a transaction for each entry; a revocation reaches both by NOTIFY.',
  run: async (bench) => {
    const { sizes, table } = bench;
    const cluster = await startCluster(bench.ends);
    await inRounds(bench, async (ends) => {
      const databases = await makeDatabases(cluster);
      const product = await startProduct(ends, await prepareHome(ends, databases.product), NODES);
      const floor = await startBaseline(ends, 'floor-postgres.ts', [databases.floor], NODES);
      const pair = [product, floor] as const;
      noteStart(table, 'Start of a second node to ready', pair);
      for (const contender of pair) await warmUp(contender, sizes.requests / 4);
      for (const atOnce of [1, 32, 128]) await compare(table, entries(sizes.requests, atOnce), pair);
      for (const [code, visitors] of sizes.visitors.slice(0, 2).entries())
        await compare(table, revocation(visitors, code + 1), pair);
    });
  },
};

async function startCluster(ends: Cleanup): Promise<string> {
  const cluster = await ownPostgres();
  ends.push(() => cluster.remove());
  return cluster.url;
}

const FLOOR_TABLES = `create table codes (id int primary key, used int); insert into codes values (1, 0);
${['visits', 'entries', 'events'].map((table) => `create table ${table} (id text primary key, content text);`).join('\n')}`;

let made = 0;

async function makeDatabases(server: string): Promise<{ product: string; floor: string }> {
  made += 1;
  const [product, floor] = [`product_${made}`, `floor_${made}`];
  for (const name of [product, floor]) await runStatements(server, `create database ${name}`);
  await runStatements(databaseOf(server, floor), FLOOR_TABLES);
  return { product: databaseOf(server, product), floor: databaseOf(server, floor) };
}

const databaseOf = (server: string, name: string) => server.replace(/\/[^/]*$/, `/${name}`);

async function runStatements(connectionString: string, statements: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}
