import { readdirSync, readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { DATA_DIR_RULES, TABLE_RULES } from '../../src/server/features/archive/rules.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';
import { announce } from '../support/uploads.ts';

/** Whoever adds a table or something in `DATA_DIR` decides here whether it is in the archive. */

const ROOT = resolve(import.meta.dirname, '../..');

test('every table has a rule for the archive, and every rule a table', async () => {
  const { db, drop } = await sqliteDatabase();
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
  expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(TABLE_RULES).toSorted());
  await drop();
});

test('everything the product puts into its folder has a rule for the archive', async () => {
  const server = await startServer();
  const { admin } = await prepareEvening(server);
  await announce({ url: server.url, cookie: admin }, 1_000, { slot: 'canzone', filename: 'a.mp3' });
  const found = await readdir(server.deps.env.DATA_DIR);
  expect(found).toEqual(expect.arrayContaining(['sorpresa.db', 'media', 'uploads', 'secret-auth']));
  expect(found.filter((name) => !Object.hasOwn(DATA_DIR_RULES, name))).toEqual([]);
  await server.stop();
});

test('every name that the code gives to something in that folder has a rule, too', () => {
  const sources = ['src/server', 'demo'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(ROOT, folder, name), 'utf8')),
  );
  const names = sources.flatMap((text) =>
    [...text.matchAll(/join\((?:\w+\.)*(?:DATA_DIR|dataDir), ['`]([^'`$]+)['`$]/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(names).toEqual(expect.arrayContaining(['sorpresa.db', 'media', 'uploads', 'demo.json']));
  const ruled = Object.keys(DATA_DIR_RULES);
  expect(names.filter((name) => !ruled.some((rule) => rule.startsWith(name)))).toEqual([]);
});
