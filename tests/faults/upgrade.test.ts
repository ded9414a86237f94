import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { hasSecondTrip } from '../../src/domain/content.ts';
import { lastMigration, latestMigration } from '../../src/server/db/migrate.ts';
import { type Database, openDatabaseOrExplain, openUnmigrated } from '../../src/server/db/open.ts';
import { readTablePages, tableNames } from '../../src/server/features/archive/archive.repo.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { ARCHIVED_TABLES } from '../../src/server/features/archive/rules.ts';
import { backupBeforeUpgrade } from '../../src/server/features/archive/write.ts';
import { configurationOf, findConfig } from '../../src/server/features/config/config.ts';
import { productVersion } from '../../src/server/place.ts';
import { archivedRows } from '../support/archive.ts';
import { call } from '../support/http.ts';
import { ok, walkTo } from '../support/http-evening.ts';
import { type OldFolder, oldFolder } from '../support/old-folder.ts';
import { newFolder, startServer } from '../support/server.ts';

/** Upgrade of the data of version 0.1.0, with visits, answers, files and a visit in progress. */

const FIXTURES = resolve(import.meta.dirname, '../fixtures');
const COPY = `before-${productVersion()}-from-002-sign-in.zip`;

let old: OldFolder;
let copies: string;
beforeEach(async () => {
  old = await oldFolder('0.1.0');
  copies = join(old.dataDir, 'backups');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(old.dataDir, { recursive: true, force: true });
});

/** Opens the database as the startup does. */
const open = (env: { DATA_DIR: string; DATABASE_URL?: string } = { DATA_DIR: old.dataDir }) =>
  openDatabaseOrExplain({ DATABASE_URL: undefined, ...env }, { beforeUpgrade: backupBeforeUpgrade(env) });

/** Returns the hash of every file in the folder by path, without the backups before an upgrade. */
function bytesOf(dataDir: string): Record<string, string> {
  const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('backups') && statSync(join(dataDir, name)).isFile())
    // The lock's own files are empty, and created by any process that opens the folder.
    .filter((name) => !name.startsWith('sorpresa.lock'));
  return Object.fromEntries(files.toSorted().map((name) => [name, sha256(join(dataDir, name))]));
}

const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Soon after the folder was created: the visit is a minute old. */
const soonAfter = () => new Date(Date.parse(old.keys.made_at) + 60_000);

test('upgrades without loss, serves the files, and continues the visit in progress to its end', async () => {
  const { keys } = old;
  const server = await startServer({ dataDir: old.dataDir, now: soonAfter });
  try {
    const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-in/email', keys.admin));
    const codes = ok(await call(server.url, 'GET', '/admin/tokens', undefined, { cookie })).text;
    expect(codes).toContain(keys.token);
    const resumed = ok(await call(server.url, 'POST', '/visit/resume', {}, { cookie: keys.under_way })).body;
    expect(resumed.position.step).toBe(keys.step);
    for (const { key, nome } of old.keys.media.filter(({ nome }) => /^(video|song|picture)/.test(nome))) {
      const file = await fetch(`${server.url}/api/media/${key}`, { headers: { cookie: keys.under_way } });
      const bytes = Buffer.from(await file.arrayBuffer());
      expect([file.status, bytes.equals(readFileSync(join(FIXTURES, nome)))], nome).toEqual([200, true]);
    }
    await walkTo(server, keys.under_way, 'closing', 2);
    ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie: keys.under_way }));
    expect(await lastMigration(server.deps.db)).toBe(latestMigration());
    const rows = await archivedRows(server.deps.db);
    // Two visits, both with the answers of both trips.
    expect([rows.active_sessions?.length, rows.checkbox_responses?.length]).toEqual([2, 4]);
    // The old tickets are being drawn, which adds rows.
    const stored = await server.deps.db.selectFrom('media').select('id').execute();
    expect(stored.map(({ id }) => id)).toEqual(
      expect.arrayContaining(keys.media.map(({ key }) => parse(key).name)),
    );
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  } finally {
    await server.stop();
  }
});

test('loses and changes no row, except for what a step adds', async () => {
  const before = await openUnmigrated({ DATA_DIR: old.dataDir, DATABASE_URL: undefined });
  const tables = (await tableNames(before.db)).filter((name) => ARCHIVED_TABLES.includes(name));
  const told = await Promise.all(tables.map(async (name) => [name, await allRows(before, name)] as const));
  await before.close();
  const database = await open();
  const stored = await database.db.selectFrom('visit_snapshots').selectAll().execute();
  const bodies = new Map(stored.map(({ hash, body }) => [hash, body]));
  for (const [name, rows] of told) {
    const found = await allRows(database, name);
    // A visit's content was in its row; now its hash refers to it.
    const now = found.map((row) => ({ ...row, snapshot: bodies.get(String(row['snapshot_hash'])) }));
    expect(now, name).toEqual(rows.map((row) => expect.objectContaining(row)));
  }
  await database.close();
});

async function allRows(database: Pick<Database, 'db' | 'kind'>, table: string) {
  const rows: Record<string, unknown>[] = [];
  await database.db.transaction().execute(async (tx) => {
    for await (const page of readTablePages({ db: tx, kind: database.kind }, table)) rows.push(...page);
  });
  return rows;
}

test('stores a backup before the upgrade, which restores the same rows', async () => {
  const upgraded = await open();
  const rows = await archivedRows(upgraded.db);
  await upgraded.close();
  const again = await open();
  await again.close();
  expect(await readdir(copies)).toEqual([COPY]);
  expect(statSync(join(copies, COPY)).mode & 0o777).toBe(0o600);

  const target = await newFolder();
  const manifest = await restoreArchive(
    join(copies, COPY),
    { DATA_DIR: target, DATABASE_URL: undefined },
    new Date(),
  );
  expect(manifest.schema).toBe('002-sign-in');
  const restored = await open({ DATA_DIR: target });
  expect(await archivedRows(restored.db)).toEqual(rows);
  // A second trip that was prepared exists, because nobody has used its switch.
  const row = (await findConfig(restored.db)) ?? expect.unreachable();
  expect([row.secondo_viaggio, hasSecondTrip({ config: configurationOf(row) })]).toEqual([null, true]);
  await restored.close();
  for (const { key, nome } of old.keys.media)
    expect(sha256(join(target, 'media', key))).toBe(sha256(join(FIXTURES, nome)));
  expect(sha256(join(target, 'secret-auth'))).toBe(sha256(join(old.dataDir, 'secret-auth')));
  await rm(target, { recursive: true });
});

test('keeps the last three backups, and foreign files', async () => {
  await mkdir(copies);
  const older = ['1', '2', '3'].map((n) => `before-0.0.${n}-from-00${n}-x.zip`);
  for (const [place, name] of [...older, 'mine.zip'].entries()) {
    await writeFile(join(copies, name), name);
    await utimes(join(copies, name), place + 1, place + 1);
  }
  await (await open()).close();
  expect((await readdir(copies)).toSorted()).toEqual([...older.slice(1), COPY, 'mine.zip'].toSorted());
});

/** Lets `count` statements that change something pass; the next one fails. */
function failAfter(count: number): void {
  let seen = 0;
  const look = (sql: unknown) => {
    if (typeof sql !== 'string' || !/^\s*(create|alter|drop|insert|update|delete)\b/i.test(sql)) return;
    seen += 1;
    if (seen > count) throw new Error('the step was made to fail');
  };
  const prepare = DatabaseSync.prototype.prepare;
  vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql, ...rest) {
    look(sql);
    return prepare.call(this, sql, ...rest);
  });
}

test('leaves the old folder unchanged, byte for byte, whichever step fails', async () => {
  const before = bytesOf(old.dataDir);
  expect(Object.keys(before)).toHaveLength(8);
  let steps = 0;
  for (; ; steps += 1) {
    failAfter(steps);
    const failed = await open().then(
      (database) => database.close(),
      (error: unknown) => error,
    );
    vi.restoreAllMocks();
    if (failed === undefined) break;
    expect(failed, `step ${steps}`).toMatchObject({
      name: 'UpgradeFailed',
      message: `L’aggiornamento dei dati in ${old.dataDir} non è riuscito, ed è rimasto tutto com’era: the step was made to fail
La versione precedente del prodotto funziona ancora con questi dati; una copia di tutto è in ${join(copies, COPY)}.`,
    });
    expect(bytesOf(old.dataDir), `step ${steps}`).toEqual(before);
    expect(await readdir(copies)).toEqual([COPY]);
  }
  expect(steps).toBeGreaterThan(30);
  expect(bytesOf(old.dataDir)).not.toEqual(before);
});

test('changes nothing if no backup can be stored', async () => {
  const before = bytesOf(old.dataDir);
  await writeFile(copies, 'in the way');
  await expect(open()).rejects.toThrow(`Prima di aggiornare i dati il prodotto ne fa una copia in ${copies}`);
  expect(bytesOf(old.dataDir)).toEqual(before);
});

test('refuses the data of a newer product with an explanation', async () => {
  await (await open()).close();
  const database = new DatabaseSync(join(old.dataDir, 'sorpresa.db'));
  database.exec("insert into kysely_migration (name, timestamp) values ('999-later', '2030-01-01')");
  database.close();
  const before = bytesOf(old.dataDir);
  await expect(open()).rejects.toThrow(
    `I dati in ${old.dataDir} sono di una versione più recente del prodotto (arrivano a 999-later, questa a ${latestMigration()})`,
  );
  expect(bytesOf(old.dataDir)).toEqual(before);
});

test('creates no backup for a new folder', async () => {
  const folder = await newFolder();
  await (await open({ DATA_DIR: folder })).close();
  expect(existsSync(join(folder, 'backups'))).toBe(false);
  await rm(folder, { recursive: true });
});
