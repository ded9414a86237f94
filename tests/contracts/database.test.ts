import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import { type Clock, databaseClock } from '../../src/server/clock.ts';
import { readClock } from '../../src/server/db/counters.ts';
import {
  DatabaseUnavailable,
  isBusy,
  isCheckViolation,
  isDiskFull,
  isSerializationFailure,
  isUnavailable,
  isUniqueViolation,
  toDatabaseUnavailable,
} from '../../src/server/db/errors.ts';
import { UpgradeFailed } from '../../src/server/db/migrate.ts';
import { explainDatabaseError, openDatabase } from '../../src/server/db/open.ts';
import { DataDirInUse } from '../../src/server/db/owner.ts';
import { isServiceUnavailable } from '../../src/server/http/refusals.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite, postgresDatabase } from '../support/databases.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';

const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });
const start = ({ DATA_DIR, ...env }: EmptyDatabase['env']) => startServer({ dataDir: DATA_DIR, env });
const refusalOf = (opening: Promise<unknown>) => opening.catch((error: unknown) => error);

/** An installation without its database must not become a new one that the next visitor could register. */
describe('lost database', () => {
  let place: EmptyDatabase;
  let file: string;
  beforeEach(async () => {
    place = await emptySqlite();
    file = join(place.env.DATA_DIR, 'sorpresa.db');
    // An installation creates its secrets after its tables.
    await (await open(place.env)).close();
    expect(await readdir(place.env.DATA_DIR)).not.toContain('secret-auth');
    for (const name of ['auth', 'encryption'] as const) await loadSecret(place.env.DATA_DIR, name);
  });
  afterEach(() => place.remove());
  const left = async () => {
    const passing = ['sorpresa.lock', 'sorpresa.db-shm', 'sorpresa.db-wal'];
    return (await readdir(place.env.DATA_DIR)).filter((name) => !passing.includes(name));
  };
  const loseSecrets = async () => {
    for (const name of ['secret-auth', 'secret-encryption']) await rm(join(place.env.DATA_DIR, name));
  };

  it.each<[string, () => Promise<void>]>([
    ['missing', () => rm(file)],
    ['empty', () => truncate(file, 0)],
    [
      'without tables',
      async () => {
        await rm(file);
        const database = new DatabaseSync(file);
        database.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id); DROP TABLE t;');
        database.close();
      },
    ],
  ])('is not recreated if its file is %s', async (_name, damage) => {
    await damage();
    const before = await left();
    const refused = await refusalOf(start(place.env));
    expect(refused).toMatchObject({ name: 'DatabaseMissing' });
    for (const word of [file, 'secret-auth', 'npm run restore']) expect(String(refused)).toContain(word);
    // The attempt must not damage data that can still be saved.
    expect(await left()).toEqual(before);
  });

  it('is detected by its log or by media alone, and the log is not deleted', async () => {
    await rm(file);
    await loseSecrets();
    await writeFile(`${file}-wal`, 'what was not yet in the file');
    expect(await refusalOf(open(place.env))).toMatchObject({ name: 'DatabaseMissing' });
    expect(await readdir(place.env.DATA_DIR)).toContain('sorpresa.db-wal');
    await rm(`${file}-wal`);
    await mkdir(join(place.env.DATA_DIR, 'media'));
    await writeFile(join(place.env.DATA_DIR, 'media', 'a.mp4'), 'film');
    expect(await refusalOf(open(place.env))).toMatchObject({ name: 'DatabaseMissing' });
  });

  it('is incomplete after an interrupted restore', async () => {
    await mkdir(join(place.env.DATA_DIR, 'restoring'));
    expect(String(await refusalOf(open(place.env)))).toContain('npm run restore');
  });

  it('is recreated if the folder was emptied, or if a first start ended before its secrets', async () => {
    await loseSecrets();
    await mkdir(join(place.env.DATA_DIR, 'media'));
    await rm(file);
    const server = await start(place.env);
    await signUp(server);
    await server.stop();
  });

  it('is not recreated on PostgreSQL if secrets exist; one with tables opens with any folder', async () => {
    const [far, folder] = [await emptyPostgres(), await emptySqlite()];
    await loadSecret(far.env.DATA_DIR, 'auth');
    const refused = String(await refusalOf(open(far.env)));
    for (const word of ['DATABASE_URL', 'secret-auth']) expect(refused).toContain(word);
    await rm(join(far.env.DATA_DIR, 'secret-auth'));
    await (await open(far.env)).close();
    await loadSecret(far.env.DATA_DIR, 'auth');
    for (const env of [far.env, { ...far.env, ...folder.env }]) await (await open(env)).close();
    await folder.remove();
    await far.remove();
  });
});

describe('owner of a folder', () => {
  let place: EmptyDatabase;
  beforeEach(async () => {
    place = await emptySqlite();
  });
  afterEach(() => place.remove());

  it('is one process: another is refused with its PID until it ends, even by a kill', async () => {
    const module = JSON.stringify(new URL('../../src/server/db/open.ts', import.meta.url).href);
    const program = `
      const { openDatabase } = await import(${module});
      await openDatabase({ DATA_DIR: ${JSON.stringify(place.env.DATA_DIR)}, DATABASE_URL: undefined });
      console.log('open');
      setInterval(() => undefined, 1000);
    `;
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(owner.stdout, 'data');
    const refused = await refusalOf(open(place.env));
    const ended = once(owner, 'exit');
    owner.kill('SIGKILL');
    await ended;
    expect(refused).toBeInstanceOf(DataDirInUse);
    for (const word of [`PID ${owner.pid}`, place.env.DATA_DIR]) expect(String(refused)).toContain(word);
    const database = await open(place.env);
    expect(await database.db.selectFrom('tokens').selectAll().execute()).toEqual([]);
    await database.close();
  });
});

describe('database clock', () => {
  const EVERY = 5_000;
  /** Clocks of the machine and of the database, and the delays of a query to the database and back, in ms. */
  const at = { wall: 0, steady: 0, database: 0 };
  let way = { there: 0, back: 0 };
  let away = false;
  let clock: Clock;
  const log = { warn: vi.fn(), info: vi.fn(), debug: vi.fn() };

  const pass = (ms: number) => {
    for (const each of ['wall', 'steady', 'database'] as const) at[each] += ms;
  };
  const ask = async () => {
    if (away) throw new Error('away');
    pass(way.there);
    const time = at.database;
    pass(way.back);
    return time;
  };
  const look = () => vi.advanceTimersByTimeAsync(EVERY);
  const begin = async () => {
    clock = await databaseClock(ask, log, () => ({ ...at }));
  };
  const late = () => at.database - clock.now().getTime();

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    Object.assign(at, { wall: 1_000_000, steady: 70, database: 1_000_000 });
    [way, away] = [{ there: 0, back: 0 }, false];
    for (const each of Object.values(log)) each.mockClear();
  });
  afterEach(async () => {
    await clock.stop();
    vi.useRealTimers();
  });

  it('returns the time regardless of the machine’s clock, also while the database is away', async () => {
    at.wall += 300_000;
    await begin();
    expect(late()).toBe(0);
    pass(60_000);
    at.wall -= 86_400_000;
    expect(late()).toBe(0);
    at.database += 1_500;
    await look();
    expect(late()).toBe(0);
    away = true;
    for (let n = 0; n < 5; n += 1) {
      pass(EVERY);
      await look();
    }
    expect(late()).toBe(0);
    away = false;
    at.database += 700;
    await look();
    expect(late()).toBe(0);
  });

  it('reports a machine over two seconds off once, and once when it is right again', async () => {
    const looks = async (isOff: boolean) => {
      for (let n = 0; n < 3; n += 1) await look();
      expect(clock.isOff()).toBe(isOff);
    };
    await begin();
    at.wall += 2_000;
    await looks(false);
    at.wall += 1;
    await looks(true);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith({ ahead_ms: 2_001 }, expect.any(String));
    at.wall -= 4_001;
    await looks(false);
    expect(log.info).toHaveBeenCalledExactlyOnceWith({ ahead_ms: -2_000 }, expect.any(String));
    expect(log.warn).toHaveBeenCalledOnce();
    at.wall -= 1;
    expect(clock.isOff()).toBe(true);
  });

  it('advances within a PostgreSQL transaction', async () => {
    await begin();
    vi.useRealTimers();
    const { db, inTransaction, drop } = await postgresDatabase();
    const [first, second] = await inTransaction(async (tx) => [await readClock(tx), await readClock(tx)]);
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    expect(await readClock(db)).toBeGreaterThan(second ?? Number.NaN);
    await drop();
  });
});

/** Errors of SQLite, PostgreSQL and the network, and their kinds. */

const sqlite = (errcode: unknown) => Object.assign(new Error('sqlite'), { errcode });
const coded = (code: unknown) => Object.assign(new Error('refused'), { code });

const KINDS = {
  isUniqueViolation,
  isCheckViolation,
  isNoRoom: isDiskFull,
  isBusy,
  isSerializationFailure,
  isUnavailable,
};
const kindsOf = (error: unknown) =>
  Object.entries(KINDS)
    .flatMap(([name, is]) => (is(error) ? [name.slice(2)] : []))
    .join();

it('recognizes SQLite’s error codes', () => {
  const codes: [unknown, string][] = [
    ...[2067, 1555, 2579].map((code): [number, string] => [code, 'UniqueViolation']),
    [275, 'CheckViolation'],
    ...[1299, 1, 11, 20, '5'].map((code): [unknown, string] => [code, '']),
    ...[5, 517, 6].map((code): [number, string] => [code, 'Busy,Unavailable']),
    ...[7, 8, 266, 14, 15].map((code): [number, string] => [code, 'Unavailable']),
    ...[13, 4874].map((code): [number, string] => [code, 'NoRoom,Unavailable']),
  ];
  expect(codes.map(([code]) => [code, kindsOf(sqlite(code))])).toEqual(codes);
});

it('recognizes error codes of PostgreSQL, the system and the network', () => {
  const codes: [unknown, string][] = [
    ['23505', 'UniqueViolation'],
    ['23514', 'CheckViolation'],
    ...['40001', '40P01'].map((code): [string, string] => [code, 'SerializationFailure,Unavailable']),
    ['53100', 'NoRoom,Unavailable'],
    ...['53300', '57P01', '25006', 'ECONNREFUSED'].map((code): [string, string] => [code, 'Unavailable']),
    ...['ENOSPC', 'EDQUOT', 'EFBIG'].map((code): [string, string] => [code, 'NoRoom']),
    ...['23503', '42P01', 'ENOENT', 23505].map((code): [unknown, string] => [code, '']),
  ];
  expect(codes.map(([code]) => [code, kindsOf(coded(code))])).toEqual(codes);
  expect(kindsOf(new Error('not written', { cause: coded('ENOSPC') }))).toBe('NoRoom');
  expect(kindsOf(new Error('Connection terminated unexpectedly'))).toBe('Unavailable');
  for (const other of [new Error('no'), { errcode: 5, code: '23505' }]) expect(kindsOf(other)).toBe('');
});

it('wraps an outage once as DatabaseUnavailable, and leaves other errors unchanged', () => {
  const [lost, other] = [coded('ECONNRESET'), new Error('no')];
  const explained = toDatabaseUnavailable(lost);
  expect(explained).toBeInstanceOf(DatabaseUnavailable);
  expect(explained).toMatchObject({ message: 'refused', cause: lost });
  expect([toDatabaseUnavailable(explained), toDatabaseUnavailable(other)]).toEqual([explained, other]);
});

it('treats too many open files and storage failures as outages, too', () => {
  for (const error of [coded('EMFILE'), coded('ENFILE'), new StorageUnavailable('no'), sqlite(5)])
    expect(isServiceUnavailable(error)).toBe(true);
  for (const error of [coded('ENOENT'), coded(24), new Error('no'), 'EMFILE', null])
    expect(isServiceUnavailable(error)).toBe(false);
});

describe('unusable database', () => {
  const onDisk = { DATA_DIR: '/d', DATABASE_URL: undefined };
  const far = { DATA_DIR: '/d', DATABASE_URL: 'postgres://u:segreto@a:5432/sera' };
  const explained = (where: typeof onDisk | typeof far, error: Error) =>
    explainDatabaseError(where, error) as Error;

  it.each<[string, Error, RegExp]>([
    ['may not be written, in other words', sqlite(1032), /the disk must not be read-only/],
    ['is on a disk that is read-only', coded('EROFS'), /the disk must not be read-only/],
    ['has no room on the disk', coded('ENOSPC'), /The disk is full/],
    ['is no file', sqlite(14), /must be a file/],
    ['is none', sqlite(26), /no SQLite database/],
  ])('reports with its file and a remedy that it %s', (_what, error, words) => {
    expect(explained(onDisk, error).message).toMatch(words);
    expect(explained(onDisk, error).message).toContain('/d/sorpresa.db');
  });

  it.each([
    ['28P01', /Correct DATABASE_URL, or make the user/],
    ['ECONNREFUSED', /Start it, or correct DATABASE_URL/],
    ['SELF_SIGNED_CERT_IN_CHAIN', /Name its authority's certificate in DATABASE_URL .*sslrootcert=FILE/],
    ['CERT_HAS_EXPIRED', /Correct its certificate, or the host in DATABASE_URL/],
  ])('is reported without its password on PostgreSQL (%s)', (code, words) => {
    const { message } = explained(far, coded(code));
    expect(message).toMatch(words);
    expect(message).toContain('The database a:5432/sera of DATABASE_URL');
    expect(message).not.toContain('segreto');
  });

  it('keeps the original error for other reasons and failed upgrades', () => {
    for (const error of [sqlite(1), new Error('no'), Object.assign(new UpgradeFailed('so'), { errcode: 13 })])
      expect(explained(onDisk, error)).toBe(error);
    for (const error of [coded('42P01'), coded('')]) expect(explained(far, error)).toBe(error);
    const plain = explained(far, new Error('The server does not support SSL connections'));
    expect(plain.message).toMatch(/Take sslmode out of DATABASE_URL/);
  });
});
