import { randomUUID } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { type Client, createClient, NoReply, type Reply } from '../support/client.ts';
import { emptySqlite } from '../support/databases.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { createRandom, type Random } from '../support/random.ts';
import { startServer } from '../support/server.ts';

const ENTRIES = 400;
const CONCURRENCY = 20;
/** Less than the size of any reply's headers, in bytes. */
const WITHIN_REPLY = 200;

/** Half of the losses are unnoticed by the server; a quarter happen before it can have answered. */
function randomCut(random: Random): Cut {
  const hang_up = random.int(2) === 0;
  if (random.int(4) === 0) return { kind: 'at_request', hang_up };
  return { kind: 'after', bytes: random.int(WITHIN_REPLY), hang_up };
}

test(`uses up no code in ${ENTRIES} entries without a reply that are retried with the same attempt`, {
  timeout: 300_000,
}, async () => {
  const database = await emptySqlite();
  const server = await startServer({
    dataDir: database.env.DATA_DIR,
    env: { ...database.env, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
  });
  const random = createRandom('lost replies');
  const network = await replyCutter(server.url, () => randomCut(random));
  const client = createClient(CONCURRENCY, { keepAlive: false });
  const codes = await makeCodes(server.url, await prepare(server.url), ENTRIES);

  const jobs = codes.map(({ token }, n) => () => {
    const from = `10.0.${n >> 8}.${n & 255}`;
    const body = { token, attempt_id: randomUUID(), device_id: `device-${n}` };
    const enter = (url: string) => client.post(url, '/access', body, { from });
    return enterWithRetries(
      client,
      server.url,
      [network.url, ...(n % 3 === 0 ? [network.url] : []), server.url],
      enter,
    );
  });
  const entries = await inParallel(jobs, CONCURRENCY);

  expect(entries.map(({ reply }) => reply.status)).toEqual(Array(ENTRIES).fill(200));
  expect(entries.map(({ lost }) => lost >= 1)).toEqual(Array(ENTRIES).fill(true));
  expect(entries.every(({ reply }) => !reply.body.resumed)).toBe(true);
  expect(new Set(entries.map(({ reply }) => reply.body.token_id)).size).toBe(ENTRIES);
  expect(new Set(entries.map(({ visit }) => visit.body.session_id)).size).toBe(ENTRIES);
  const { db } = server.deps;
  const used = await db.selectFrom('tokens').select('accessi_usati').execute();
  expect(used.map(({ accessi_usati }) => accessi_usati)).toEqual(Array(ENTRIES).fill(1));
  expect(await db.selectFrom('active_sessions').select('id').execute()).toHaveLength(ENTRIES);
  expect(await checkInvariants(db, new Date())).toEqual([]);

  client.close();
  await network.close();
  await server.stop();
  await database.remove();
});

type Entry = { reply: Reply; visit: Reply; lost: number };

/** Retries over one network after the other until a reply arrives, then opens the visit with the reply's cookie. */
async function enterWithRetries(
  client: Client,
  url: string,
  ways: readonly string[],
  enter: (url: string) => Promise<Reply>,
): Promise<Entry> {
  let lost = 0;
  for (const way of ways) {
    const reply = await enter(way).catch((error: unknown) => {
      if (!(error instanceof NoReply)) throw error;
      lost += 1;
      return null;
    });
    if (reply === null) continue;
    const visit = await client.post(url, '/visit/resume', {}, { cookie: reply.cookie });
    return { reply, visit, lost };
  }
  throw new Error('Not even the way without losses brought a reply');
}

/**
 * Loss of a connection. `at_request`: the client is cut off when its request has passed, before the server can have answered. `after`:
 * this many bytes of the reply pass. `hang_up`: the server notices; otherwise it continues to send.
 */
type Cut =
  | { kind: 'none' }
  | ({ hang_up: boolean } & ({ kind: 'at_request' } | { kind: 'after'; bytes: number }));

type ReplyCutter = { url: string; close(): Promise<void> };

/** A network that delivers complete requests to `url` and loses replies. `next` is called once per connection. */
async function replyCutter(url: string, next: () => Cut): Promise<ReplyCutter> {
  const target = Number(new URL(url).port);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      socket.on('error', () => socket.destroy());
    }
    far.once('close', () => near.destroy());
    carry(near, far, next());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function carry(near: Socket, far: Socket, cut: Cut): void {
  const lose = () => {
    near.resetAndDestroy();
    if (cut.kind !== 'none' && cut.hang_up) far.destroy();
    else far.resume();
  };
  let request = '';
  near.on('data', (chunk: Buffer) => {
    far.write(chunk);
    request += chunk.toString('latin1');
    if (cut.kind === 'at_request' && isWhole(request)) far.write('', () => lose());
  });
  let left = cut.kind === 'after' ? cut.bytes : Number.POSITIVE_INFINITY;
  far.on('data', (chunk: Buffer) => {
    if (near.destroyed) return;
    near.write(chunk.subarray(0, left));
    left -= chunk.length;
    if (left <= 0) lose();
  });
}

function isWhole(request: string): boolean {
  const [head = '', body] = request.split('\r\n\r\n');
  const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0);
  return body !== undefined && body.length >= length;
}
