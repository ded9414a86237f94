import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { freePort } from '../support/free-port.ts';
import { type ReverseProxy, startReverseProxy } from '../support/front.ts';
import { call } from '../support/http.ts';
import { type Evening, ok, prepareEvening, saveConfig, store } from '../support/http-evening.ts';
import { ownPostgres, queryPostgres } from '../support/own-postgres.ts';
import { NAME, type Proxy } from '../support/proxies.ts';
import type { BucketEnv } from '../support/radosgw.ts';
import {
  newFolder,
  type SpawnedServer,
  spawnServer,
  startServer,
  type TestServer,
} from '../support/server.ts';

/** Two nodes behind a proxy, on one PostgreSQL and one folder, with a bucket if one is given. */
export type Nodes<T> = {
  /** Address of the proxy, which is the site's. */
  url: string;
  /** Addresses of the nodes. */
  inside: readonly [string, string];
  front: ReverseProxy;
  /** Data folder of both nodes. */
  folder: string;
  evening: Evening;
  prepared: T;
  node(which: 0 | 1): SpawnedServer;
  /** Restarts a node that has ended, at its address. */
  start(which: 0 | 1): Promise<void>;
  ask<Row>(statement: string): Promise<Row[]>;
  /** Signs the administrator in through the proxy. */
  signIn(): Promise<string>;
  stop(): Promise<void>;
};

type Options<T> = {
  proxy: Proxy;
  env?: Record<string, string>;
  /** Bucket for the files, which otherwise are in the folder. */
  bucket?: BucketEnv;
  /** Prepares more data while the product runs in this process. */
  prepare?: (before: TestServer, evening: Evening) => Promise<T>;
};

export async function startNodes<T = void>({
  proxy,
  env = {},
  bucket,
  prepare,
}: Options<T>): Promise<Nodes<T>> {
  const [port, ...ports] = [await freePort(), await freePort(), await freePort()] as const;
  const [postgres, folder] = [await ownPostgres(), await newFolder()];
  const undo = [() => rm(folder, { recursive: true, force: true }), () => postgres.remove()];
  const stop = async () => {
    for (const each of undo.splice(0).toReversed()) await each();
  };
  const url = `https://${NAME}:${port}`;
  const shared = { DATABASE_URL: postgres.url, ...bucket };
  try {
    const before = await startServer({ dataDir: folder, env: shared });
    const evening = await prepareEvening(before).catch(stopping(before));
    const prepared = (await prepare?.(before, evening).catch(stopping(before))) as T;
    await before.stop();
    const spawn = (which: 0 | 1) =>
      spawnServer({
        dataDir: folder,
        env: {
          ...shared,
          PUBLIC_URL: url,
          TRUSTED_PROXIES: '127.0.0.1',
          DRAIN_SECONDS: '3',
          PORT: String(ports[which]),
          ...env,
        },
      });
    const servers = await Promise.all([spawn(0), spawn(1)]);
    undo.push(async () => void (await Promise.all(servers.map((each) => each.end('SIGKILL')))));
    const front = await startReverseProxy(proxy, {
      port,
      nodes: ports,
      media: join(folder, 'media'),
      plain: false,
    });
    undo.push(() => front.stop());
    return {
      url,
      inside: [`http://127.0.0.1:${ports[0]}`, `http://127.0.0.1:${ports[1]}`],
      front,
      folder,
      evening,
      prepared,
      node: (which) => servers[which],
      async start(which) {
        servers[which] = await spawn(which);
      },
      ask: (statement) => queryPostgres(postgres.url, statement),
      async signIn() {
        return ok(await call(url, 'POST', '/auth/sign-in/email', ACCOUNT)).cookie;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The account that `signUp` creates. */
export const ACCOUNT = { email: 'anna@example.org', password: 'una frase molto lunga 7' };

const stopping = (server: TestServer) => async (error: unknown) => {
  await server.stop();
  throw error;
};

/** Stores an unplayable film of this size in place of the evening's own. Returns its address. */
export async function longFilm(server: TestServer, { admin }: Evening, mebibytes: number): Promise<string> {
  const bytes = Readable.from(Array.from({ length: mebibytes }, (_, n) => Buffer.alloc(1024 ** 2, n)));
  const { url } = await store(server, 'lungo.mp4', bytes);
  await saveConfig(server, admin, { video_url: url });
  return url;
}
