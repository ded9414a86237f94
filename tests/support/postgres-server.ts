import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/db/open.ts';
import { type OwnPostgres, ownPostgres, queryPostgres } from './own-postgres.ts';
import { type Pooler, startPooler } from './pgbouncer.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /**
     * Replies to a request with the connection string of the run's PostgreSQL, which starts at the first request. Under
     * `/tables` the database `TEMPLATE` has its tables; `/pooler` returns a PgBouncer before it.
     */
    postgresDoor: string;
  }
}

/** Template database of the tests: copying it is faster than migrating. */
export const TEMPLATE = 'with_tables';

/** Global setup: one PostgreSQL per run, started at the first request. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let cluster: Promise<OwnPostgres> | null = null;
  let template: Promise<unknown> | null = null;
  let pooler: Promise<Pooler> | null = null;
  const urlAt = async (path: string | undefined): Promise<string> => {
    cluster ??= ownPostgres('fsync=off', 'max_connections=200');
    const { url } = await cluster;
    if (path === '/tables') await (template ??= createTemplate(url));
    const at = path === '/pooler' ? (await (pooler ??= startPooler(url))).through(url) : url;
    return at.replace(/\/postgres$/, '');
  };
  const door = createServer((request, response) => {
    urlAt(request.url).then(
      (url) => response.end(url),
      (error) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((listening) => door.listen(0, '127.0.0.1', listening));
  project.provide('postgresDoor', `http://127.0.0.1:${(door.address() as AddressInfo).port}`);
  return async () => {
    door.closeAllConnections();
    door.close();
    await (await pooler)?.stop();
    await (await cluster)?.remove();
  };
}

async function createTemplate(url: string): Promise<void> {
  await queryPostgres(url, `create database ${TEMPLATE}`);
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  const env = { DATA_DIR: folder, DATABASE_URL: url.replace(/postgres$/, TEMPLATE) };
  await openDatabase(env).then(({ close }) => close());
  await rm(folder, { recursive: true, force: true });
}
