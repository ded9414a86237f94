import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSecret, SECRET_NAMES, secretFile } from '../../src/server/auth/secrets.ts';
import { moved } from '../../src/server/commands/install.ts';
import { openUnmigrated } from '../../src/server/db/open.ts';
import { readEnv } from '../../src/server/env.ts';
import { restoreArchive } from '../../src/server/features/archive/restore.ts';
import { writeArchiveFile } from '../../src/server/features/archive/write.ts';
import { requireSameInstall } from '../../src/server/identity/identity.ts';
import { diskStorage } from '../../src/server/storage/disk.ts';
import { takeBucket } from '../support/buckets.ts';
import { emptyPostgres } from '../support/databases.ts';
import { call } from '../support/http.ts';
import { prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** Nodes of one database with different secrets or different storage. */

let ended: (() => Promise<void>)[];
/** Functions that stop the running nodes. */
let running: (() => Promise<void>)[];
beforeEach(() => {
  [ended, running] = [[], []];
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const end of ended.toReversed()) await end();
});

async function folder(from?: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  ended.push(() => rm(path, { recursive: true, force: true }));
  if (from !== undefined) await copySecrets(from, path);
  return path;
}

async function copySecrets(from: string, to: string): Promise<void> {
  for (const name of SECRET_NAMES) await cp(secretFile(from, name), secretFile(to, name));
}

async function node(dataDir: string, env: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ dataDir, env });
  ended.push(server.stop);
  running.push(server.stop);
  return server;
}

async function postgres(): Promise<Record<string, string>> {
  const { env, remove } = await emptyPostgres();
  ended.push(remove);
  return { DATABASE_URL: env.DATABASE_URL ?? '' };
}

/** Runs `sorpresa moved` with the settings of a node. Returns the exit code and the output. */
async function runMoved(dataDir: string, env: Record<string, string>): Promise<[number, string]> {
  const output: unknown[] = [];
  for (const way of ['log', 'error'] as const)
    vi.spyOn(console, way).mockImplementation((text) => void output.push(text));
  for (const [name, value] of Object.entries({ DATA_DIR: dataDir, ...env })) vi.stubEnv(name, value);
  const code = await moved();
  vi.unstubAllEnvs();
  return [code, output.join('\n')];
}

const SECRETS =
  /^This node's secrets are not those of the database's other nodes: copy .*secret-auth and .*secret-encryption/;
const STORAGE = /^The storage is not the one of this database: /;

const newSecrets = () => ({
  AUTH_SECRET: randomBytes(32).toString('base64'),
  ENCRYPTION_SECRET: randomBytes(32).toString('base64'),
});

test('leaves no secrets in the folders of nodes that get them from the environment or from files', async () => {
  const env: Record<string, string> = { ...(await postgres()), ...(await takeBucket()), ...newSecrets() };
  const [a, b] = [await folder(), await folder()];
  const files: Record<string, string> = {};
  for (const name of ['AUTH_SECRET', 'ENCRYPTION_SECRET', 'S3_SECRET', 'DATABASE_URL']) {
    const path = join(b, name);
    await writeFile(path, `${env[name]}\n`);
    Object.assign(files, { [`${name}_FILE`]: path, [name]: '' });
  }
  const evening = await prepareEvening(await node(a, env));
  const other = await node(b, { ...env, ...files });
  const me = await call(other.url, 'GET', '/admin/me', undefined, { cookie: evening.admin });
  expect(me.status).toBe(200);
  for (const place of [a, b])
    expect(SECRET_NAMES.filter((name) => existsSync(secretFile(place, name)))).toEqual([]);
  await expect(node(await folder(), { ...env, ...newSecrets() })).rejects.toThrow(SECRETS);
  // An archive contains them.
  const archive = join(a, 'copy.zip');
  const where = { ...readEnv({ ...env, DATA_DIR: a }) };
  const database = await openUnmigrated(where);
  await writeArchiveFile(database, where, archive).finally(database.close);
  const home = join(await folder(), 'home');
  await restoreArchive(archive, { DATA_DIR: home, DATABASE_URL: undefined }, new Date());
  expect(await loadSecret(home, 'auth')).toEqual(Buffer.from(env['AUTH_SECRET'] ?? '', 'base64'));
});

test('requires all nodes on one PostgreSQL to share a bucket and secrets, and moves them on request', async () => {
  const env = { ...(await postgres()), ...(await takeBucket()) };
  const first = await folder();
  await prepareEvening(await node(first, env));
  // The bucket of another installation, with its files.
  const others = await takeBucket();
  await node(await folder(), { ...(await postgres()), ...others });
  const second = await folder();
  await expect(node(second, env)).rejects.toThrow(SECRETS);
  expect(SECRET_NAMES.filter((name) => existsSync(secretFile(second, name)))).toEqual([]);
  await copySecrets(first, second);
  const empty = { ...env, ...(await takeBucket()) };
  await expect(node(second, empty)).rejects.toThrow(/has never held this database's files/);
  await expect(node(second, { ...env, ...others })).rejects.toThrow(/holds the files of another database/);
  const other = await node(second, env);
  const { body } = await call(other.url, 'GET', '/admin/registration', undefined, {});
  expect(body).toMatchObject({ registration_open: false });
  // Moves to a new bucket and new secrets on request; nodes with the previous settings are refused then.
  for (const stop of running.splice(0)) await stop();
  const fresh = { ...env, ...(await takeBucket()) };
  const third = await folder();
  const [code, output] = await runMoved(third, fresh);
  expect(code).toBe(0);
  expect(output).toContain('mancano 5 file');
  expect(output).toContain(fresh['S3_BUCKET']);
  await node(third, fresh);
  await expect(node(first, fresh)).rejects.toThrow(SECRETS);
  await expect(node(await folder(third), env)).rejects.toThrow(/was copied before they moved/);
});

/** Number of rounds. The race differs in each: a start is some turns of the event loop later than the one before. */
const ROUNDS = 3;
const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await setImmediate();
};

test('lets one pair continue if several start at once on an empty database, each with a separate disk', async () => {
  const server = await node(await folder(), { ...(await postgres()), ...newSecrets() });
  const { deps } = server;
  for (let round = 0; round < ROUNDS; round += 1) {
    await deps.db.deleteFrom('install_identity').execute();
    const disks = await Promise.all([folder(), folder(), folder()]);
    const start = async (disk: string) => {
      const env = { ...deps.env, DATA_DIR: disk };
      await requireSameInstall({ ...deps, env, storage: await diskStorage(join(disk, 'media')) });
      return disk;
    };
    const starts = await Promise.allSettled(
      [...disks, ...disks].map((disk, n) => turns((n * round) % 13).then(() => start(disk))),
    );
    const going = starts.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect([going.length, new Set(going).size]).toEqual([2, 1]);
    expect(await start(going[0] ?? '')).toBe(going[0]);
    for (const disk of disks.filter((each) => each !== going[0]))
      await expect(start(disk)).rejects.toThrow(STORAGE);
  }
});

test('recognizes a shared folder by its content, also at another path, and accepts one from before the identity', async () => {
  const env = await postgres();
  const first = await folder();
  const before = await node(first, env);
  await before.deps.db.deleteFrom('install_identity').execute();
  await before.stop();
  await rm(join(first, 'media', '.identity'));
  await (await node(first, env)).stop();
  const copy = await folder();
  await cp(first, copy, { recursive: true });
  await (await node(copy, env)).stop();
  await expect(node(await folder(first), env)).rejects.toThrow(STORAGE);
});

test('checks nothing if one machine has the database and the files', async () => {
  const alone = await folder();
  await (await node(alone, {})).stop();
  for (const name of SECRET_NAMES) await rm(secretFile(alone, name));
  await (await node(alone, {})).stop();
  expect((await runMoved(alone, {}))[1]).toContain('non c’è niente da dichiarare');
});
