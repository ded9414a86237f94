import { rm } from 'node:fs/promises';
import { Client as Postgres } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { buildCode, enter, revokeCode } from '../support/http-evening.ts';
import { scrape } from '../support/metrics.ts';
import { type OwnPostgres, ownPostgres, queryPostgres } from '../support/own-postgres.ts';
import { inParallel } from '../support/parallel.ts';
import { type Pooler, startPooler } from '../support/pgbouncer.ts';
import { prepare } from '../support/prepared.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { openEventStream } from './hear.ts';

/** Number of streams at one node. */
const STREAMS = 150;
/** Maximum time until all streams receive a revocation from the other node, in ms. */
const HEARD_MS = 2_000;

let postgres: OwnPostgres;
let pooler: Pooler;
let folder: string;
let nodes: SpawnedServer[];
beforeAll(async () => {
  postgres = await ownPostgres();
  // As documented: the pooler drops the settings that the product requests when it connects. Set first: a connection
  // that the pooler has opened already keeps none.
  await ask(`alter role postgres set statement_timeout = '5s'`);
  await ask(`alter role postgres set idle_in_transaction_session_timeout = '10s'`);
  pooler = await startPooler(postgres.url);
});
afterAll(async () => {
  await pooler?.stop();
  await postgres?.remove();
});
beforeEach(async () => {
  await ask('drop schema public cascade; create schema public');
  [folder, nodes] = [await newFolder(), []];
});
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.end('SIGKILL')));
  await rm(folder, { recursive: true, force: true });
});

const ask = (statement: string) => queryPostgres(postgres.url, statement);

async function node(env: Record<string, string> = {}): Promise<SpawnedServer> {
  const made = await spawnServer({
    dataDir: folder,
    env: {
      DATABASE_URL: pooler.through(postgres.url),
      TRUSTED_PROXIES: '127.0.0.1',
      METRICS_TOKEN: 'un-segreto-abbastanza-lungo',
      ...env,
    },
  });
  nodes.push(made);
  return made;
}

const readyz = async ({ url }: SpawnedServer) => (await fetch(`${url}/readyz`)).status;
const hears = async ({ url }: SpawnedServer) =>
  (await scrape(url, 'un-segreto-abbastanza-lungo'))['sorpresa_live_own_word_heard'];

test('reports a node that listens through the pooler: not ready, by a metric, and by the name of the setting', async () => {
  const deaf = await node();
  expect(await readyz(deaf)).toBe(503);
  expect(await hears(deaf)).toBe(0);
  expect(deaf.output()).toContain('DATABASE_DIRECT_URL must lead past it');
});

test('receives a revocation of the other node at once with DATABASE_DIRECT_URL leading past it', async () => {
  const direct = { DATABASE_DIRECT_URL: postgres.url };
  const [first, second] = [await node(direct), await node(direct)];
  const admin = await prepare(first.url);
  expect([await readyz(first), await readyz(second)]).toEqual([200, 200]);
  expect([await hears(first), await hears(second)]).toEqual([1, 1]);
  const token = await buildCode(first, { admin }, { max_accessi: STREAMS });
  const open = async () => openEventStream(second.url, await enter(second, { token }));
  const heard = await inParallel(
    Array.from({ length: STREAMS }, () => open),
    32,
  );
  const said = performance.now();
  await revokeCode(first, { admin }, token);
  for (const each of heard) expect(await each.until('disconnected')).toBe(true);
  expect(performance.now() - said).toBeLessThan(HEARD_MS);
  for (const each of heard) each.close();
});

test('refuses in time a request that waits for a locked row', async () => {
  const one = await node({ DATABASE_DIRECT_URL: postgres.url });
  const admin = await prepare(one.url);
  const token = await buildCode(one, { admin });
  const holder = new Postgres({ connectionString: postgres.url });
  await holder.connect();
  // The role's own timeout is for connections through the pooler.
  await holder.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
  await holder.query('begin');
  await holder.query('select * from tokens where id = $1 for update', [token.id]);
  const path = `/admin/tokens/${token.id}`;
  const revoke = () => call(one.url, 'PATCH', path, { attivo: false }, { cookie: admin });
  const { status, body } = await revoke();
  expect([status, body.codice]).toEqual([503, 'UNAVAILABLE']);
  await holder.query('rollback');
  await holder.end();
  expect((await revoke()).status).toBe(200);
});
