import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import type { Clock } from '../../src/server/clock.ts';
import { databaseClock } from '../../src/server/database-clock.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { DataDirInUse } from '../../src/server/db/owner.ts';
import { readClock } from '../../src/server/db/ping.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite, postgresDatabase } from '../support/databases.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';

const open = (env: EmptyDatabase['env']) => openDatabase({ DATABASE_URL: undefined, ...env });
const start = ({ DATA_DIR, ...env }: EmptyDatabase['env']) => startServer({ dataDir: DATA_DIR, env });
const refusalOf = (opening: Promise<unknown>) => opening.catch((error: unknown) => error);

/** An install whose database is gone must not become a new one, open to the first who comes. */
describe('a database that is gone', () => {
  let place: EmptyDatabase;
  let file: string;
  beforeEach(async () => {
    place = await emptySqlite();
    file = join(place.env.DATA_DIR, 'sorpresa.db');
    // The secrets of an install are made after its tables.
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
  ])('(a file that is %s) is not begun anew', async (_name, damage) => {
    await damage();
    const before = await left();
    const refused = await refusalOf(start(place.env));
    expect(refused).toMatchObject({ name: 'DatabaseLost' });
    for (const word of [file, 'secret-auth', 'npm run restore']) expect(String(refused)).toContain(word);
    // Whatever can still be saved must not be made worse by trying.
    expect(await left()).toEqual(before);
  });

  it('is seen by its log or by media alone, and the log is not deleted', async () => {
    await rm(file);
    await loseSecrets();
    await writeFile(`${file}-wal`, 'what was not yet in the file');
    expect(await refusalOf(open(place.env))).toMatchObject({ name: 'DatabaseLost' });
    expect(await readdir(place.env.DATA_DIR)).toContain('sorpresa.db-wal');
    await rm(`${file}-wal`);
    await mkdir(join(place.env.DATA_DIR, 'media'));
    await writeFile(join(place.env.DATA_DIR, 'media', 'a.mp4'), 'film');
    expect(await refusalOf(open(place.env))).toMatchObject({ name: 'DatabaseLost' });
  });

  it('is none yet after a restore that was cut short', async () => {
    await mkdir(join(place.env.DATA_DIR, 'restoring'));
    expect(String(await refusalOf(open(place.env)))).toContain('npm run restore');
  });

  it('begins anew where the folder was emptied, or a first start died before its secrets', async () => {
    await loseSecrets();
    await mkdir(join(place.env.DATA_DIR, 'media'));
    await rm(file);
    const server = await start(place.env);
    await signUp(server);
    await server.stop();
  });

  it('on PostgreSQL is not begun anew beside secrets; one with tables is opened by any folder', async () => {
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

describe('the owner of a folder', () => {
  let place: EmptyDatabase;
  beforeEach(async () => {
    place = await emptySqlite();
  });
  afterEach(() => place.remove());

  it('is one process: another is refused with its number, until it ends, however it ends', async () => {
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

  it('opens it once, and again after a close', async () => {
    const first = await open(place.env);
    await expect(open(place.env)).rejects.toBeInstanceOf(DataDirInUse);
    await first.db.selectFrom('tokens').selectAll().execute();
    await first.close();
    await (await open(place.env)).close();
  });
});

describe('the database’s clock', () => {
  const EVERY = 5_000;
  /** The machine's two clocks, and the database's; how long a question takes to get there and its answer to come back, in ms. */
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
    clock = await databaseClock({ ask, read: () => ({ ...at }), log });
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

  it('is the time, whatever the machine’s own says and does, also while the database is away', async () => {
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

  it('is moved by a slow answer only where that disproves it; a quick one makes it exact', async () => {
    way = { there: 800, back: 0 };
    await begin();
    expect(late()).toBe(-400);
    way = { there: 1, back: 1 };
    await look();
    expect(Math.abs(late())).toBeLessThanOrEqual(1);
    const before = late();
    way = { there: 9_000, back: 10 };
    await look();
    expect(late()).toBe(before);
  });

  it('tells of a machine that is more than two seconds off, once, and once when it is right again', async () => {
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

  it('goes on within a transaction of PostgreSQL', async () => {
    await begin();
    vi.useRealTimers();
    const { db, inTransaction, drop } = await postgresDatabase();
    const [first, second] = await inTransaction(async (tx) => [await readClock(tx), await readClock(tx)]);
    expect(second).toBeGreaterThan(first ?? Number.NaN);
    expect(await readClock(db)).toBeGreaterThan(second ?? Number.NaN);
    await drop();
  });
});
