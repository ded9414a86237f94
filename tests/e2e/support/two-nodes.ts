import { randomBytes } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import { adminClient, signIn } from '../../../demo/admin-client.ts';
import type { Surprise } from '../../../demo/prepare.ts';
import { openUnmigrated } from '../../../src/server/db/open.ts';
import { restoreArchive } from '../../../src/server/features/archive/restore.ts';
import { writeArchiveFile } from '../../../src/server/features/archive/write.ts';
import { freePort } from '../../support/free-port.ts';
import { startReverseProxy } from '../../support/front.ts';
import { oncePerRun } from '../../support/once-per-run.ts';
import type { Proxy } from '../../support/proxies.ts';
import { newBucket } from '../../support/radosgw.ts';
import { newFolder, spawnServer, startServer } from '../../support/server.ts';
import { account, type Opened, template } from './prepared-folders.ts';
import { sharedServers } from './shared-servers.ts';

/** Both the browser and calls from the tests' own process must resolve it. */
const name = 'localhost';

/**
 * Opens a prepared surprise on two nodes behind a proxy: its own database in the run's PostgreSQL, its own bucket, a folder per node.
 * One node runs in this process, so that tests can read and change what is stored; the other is a separate process.
 */
export async function openTwoNodes(proxy: Proxy, surprise: Surprise): Promise<Opened> {
  const { folder } = await template(surprise);
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  };
  try {
    const [own, other] = [await newFolder(), await newFolder()];
    undo.push(() => Promise.all([own, other].map((each) => rm(each, { recursive: true, force: true }))));
    const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
    const { postgres, s3 } = sharedServers();
    const database = await newDatabase(postgres);
    undo.push(database.drop);
    const shared = { DATABASE_URL: database.url, ...(await newBucket(s3)) };
    await restoreArchive(await archiveOf(folder), { DATA_DIR: own, ...shared }, new Date());
    const url = `https://${name}:${port}`;
    const settings = { ...shared, PUBLIC_URL: url, TRUSTED_PROXIES: '127.0.0.1' };
    const first = await startServer({ dataDir: own, env: { ...settings, PORT: String(ports[0]) } });
    undo.push(first.stop);
    const second = await spawnServer({
      dataDir: other,
      env: { ...settings, ...(await secretsIn(own)), PORT: String(ports[1]) },
    });
    undo.push(() => second.end('SIGKILL'));
    const front = await startReverseProxy(proxy, {
      name,
      port,
      nodes: ports,
      media: join(own, 'media'),
      plain: false,
    });
    undo.push(() => front.stop());
    const session = await signIn(url, account);
    return { server: { ...first, url, session, stop }, admin: adminClient(url, session) };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the archive of a prepared folder, created once per run. It moves the folder to PostgreSQL and the bucket. */
function archiveOf(folder: string): Promise<string> {
  return oncePerRun(`archive of ${folder}`, async (place) => {
    const [env, file] = [{ DATA_DIR: folder, DATABASE_URL: undefined }, join(place, 'archive.zip')];
    const database = await openUnmigrated(env);
    await writeArchiveFile(database, env, file).finally(database.close);
    return file;
  });
}

async function secretsIn(folder: string): Promise<Record<'AUTH_SECRET' | 'ENCRYPTION_SECRET', string>> {
  const read = async (name: string) => (await readFile(join(folder, `secret-${name}`), 'utf8')).trim();
  return { AUTH_SECRET: await read('auth'), ENCRYPTION_SECRET: await read('encryption') };
}

async function newDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const database = `evening_${randomBytes(6).toString('hex')}`;
  const ask = async (statement: string) => {
    const client = new Client({ connectionString: server });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await ask(`create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  return { url: url.href, drop: () => ask(`drop database ${database} with (force)`) };
}
