import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/db/open.ts';
import { freePort } from './free-port.ts';
import { embeddedPostgres } from './own-postgres.ts';
import { startPooler } from './pgbouncer.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Replies to a request with the connection string of the run's PostgreSQL, which starts at the first request. Under
     * `/tables` the database `TEMPLATE` has its tables; `/pooler` returns a PgBouncer before it.
     */
    postgresDoor: string;
  }
}

type Cluster = { url: string; stop(): Promise<void> };

/** Template database of the tests: copying it is faster than migrating. */
export const TEMPLATE = 'with_tables';

/** Global setup: one PostgreSQL per run, started at the first request. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let cluster: Promise<Cluster> | null = null;
  let template: Promise<Cluster> | null = null;
  let pooler: Promise<Cluster> | null = null;
  const clusterFor = (path: string | undefined): Promise<Cluster> => {
    cluster ??= startCluster();
    if (path === '/tables') return (template ??= cluster.then(withTemplate));
    return path === '/pooler' ? (pooler ??= cluster.then(withPooler)) : cluster;
  };
  const door = createServer((request, response) => {
    clusterFor(request.url).then(
      ({ url }) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  project.provide('postgresDoor', `http://127.0.0.1:${await listen(door)}`);
  return async () => {
    door.closeAllConnections();
    door.close();
    await (await pooler)?.stop();
    await (await cluster)?.stop();
  };
}

async function withTemplate(cluster: Cluster): Promise<Cluster> {
  const client = new Client({ connectionString: `${cluster.url}/postgres` });
  await client.connect();
  await client.query(`create database ${TEMPLATE}`).finally(() => client.end());
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  const env = { DATA_DIR: folder, DATABASE_URL: `${cluster.url}/${TEMPLATE}` };
  await openDatabase(env).then(({ close }) => close());
  await rm(folder, { recursive: true, force: true });
  return cluster;
}

async function withPooler({ url }: Cluster): Promise<Cluster> {
  const { through, stop } = await startPooler(`${url}/postgres`);
  return { url: through(`${url}/`).replace(/\/$/, ''), stop };
}

async function startCluster(): Promise<Cluster> {
  const directory = await mkdtemp(join(tmpdir(), 'sorpresa-postgres-'));
  const port = await freePort();
  const password = randomBytes(12).toString('hex');
  const log: string[] = [];
  const postgres = await embeddedPostgres();
  const server = postgres.create({
    databaseDir: directory,
    port,
    password,
    persistent: false,
    initdbFlags: ['--encoding=UTF8', '--no-sync'],
    postgresFlags:
      '-c fsync=off -c max_connections=200 -c listen_addresses=127.0.0.1 -c unix_socket_directories='.split(
        ' ',
      ),
    onLog: (line) => log.push(String(line)),
    onError: (line) => log.push(String(line)),
  });
  try {
    await server.initialise();
    await server.start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    await postgres.remove();
    throw new Error(`PostgreSQL did not start: ${error}\n${log.join('')}`, { cause: error });
  }
  const stop = async () => {
    await server.stop();
    await postgres.remove();
  };
  return { url: `postgres://postgres:${password}@127.0.0.1:${port}`, stop };
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
