import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answered, call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, walkTo } from '../support/http-evening.ts';
import { PROXIES } from '../support/proxies.ts';
import { type BucketEnv, newBucket, type Radosgw, s3Client, startRadosgw } from '../support/radosgw.ts';
import { announce, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';
import { openEventStream } from './hear.ts';
import { longFilm, type Nodes, startNodes } from './nodes.ts';
import { visitorIn } from './visitor.ts';

const MIB = 1024 ** 2;
/** Size of the film, in MiB. */
const FILM = 8;
/** Size of the tickets, in MiB: several parts in the bucket. */
const TICKETS = 19;
/** Replies of every kind to wait for between two events. */
const SOME = 20;
/** Refused ranges to wait for before the storage returns. */
const REFUSED = 5;
/** Maximum time until a revocation is received, in ms. */
const HEARD_MS = 6_000;
/** Delay before a refused call is repeated, in ms. */
const PAUSE_MS = 200;

let radosgw: Radosgw;
beforeAll(async () => {
  radosgw = await startRadosgw();
});
afterAll(() => radosgw?.stop());

describe.each(PROXIES)('two nodes on PostgreSQL and radosgw behind %s', (proxy) => {
  let bucket: BucketEnv;
  let nodes: Nodes<string>;
  let admin: string;
  beforeAll(async () => {
    bucket = await newBucket(radosgw.env);
    nodes = await startNodes({
      proxy,
      bucket,
      prepare: (before, evening) => longFilm(before, evening, FILM),
    });
    admin = await nodes.signIn();
  });
  afterAll(() => nodes?.stop());

  const ready = async () => (await fetch(`${nodes.inside[0]}/readyz`)).status;

  test('survives a kill of the storage during a film, an upload and a revocation: other calls continue, nothing acknowledged is lost, all recover', async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    const revoked = await buildCode(nodes, { admin });
    const heard = await openEventStream(nodes.url, await enter(nodes, { token: revoked }));
    const tickets = await ticketsOf(TICKETS * MIB);
    const files = keepFiling({ url: nodes.url, cookie: admin }, tickets);
    await visitor.waitForReplies(SOME);
    await files.more(2);

    // In the middle of a multipart upload.
    await expect.poll(() => unfinished(bucket), { interval: 20 }).toBeGreaterThan(0);
    await radosgw.kill();
    await visitor.isTold('range 503', REFUSED);
    expect(await ready()).toBe(503);
    // Longer than Caddy takes to notice an unhealthy node.
    await visitor.waitForReplies(3 * SOME, ['position 200', 'heartbeat 200']);
    const said = performance.now();
    await revokeCode(nodes, { admin }, revoked);
    expect(await heard.until('disconnected')).toBe(true);
    expect(performance.now() - said).toBeLessThan(HEARD_MS);
    const newcomer = await enter(nodes, { token: await buildCode(nodes, { admin }) });
    await walkTo(nodes, newcomer, 'video');

    await radosgw.start();
    await expect.poll(ready).toBe(200);
    await visitor.waitForReplies(SOME);
    await files.more(2);
    const failed = await visitor.leave();
    const kept = await files.stop();
    // Only ranges are refused, or cut if they were in progress.
    expect(failed.filter((what) => !/^range (503|-1|UND_ERR_SOCKET),/.test(what))).toEqual([]);
    expect(files.others).toEqual([]);
    await expectKept(kept, tickets);
    const ended = `select event_type from event_logs where event_type = 'session_ended'`;
    expect(await nodes.ask(ended)).toEqual([]);
  });

  /** Checks that these files are listed and complete, and that the bucket holds no incomplete file, referenced or not. */
  async function expectKept(kept: readonly string[], { length }: Buffer): Promise<void> {
    const listed = ok(await call(nodes.url, 'GET', '/admin/media/biglietti', undefined, { cookie: admin }));
    const urls = listed.body.map((item: { url: string }) => item.url);
    expect(urls).toEqual(expect.arrayContaining([...kept]));
    for (const each of kept) {
      const answer = await fetch(`${nodes.url}${each}`, { headers: { cookie: admin } });
      const hash = createHash('sha256').update(Buffer.from(await answer.arrayBuffer()));
      expect(answer.headers.get('etag')).toBe(`"${hash.digest('hex')}"`);
    }
    const list = new ListObjectsV2Command({ Bucket: bucket.S3_BUCKET, Prefix: 'media/' });
    const { Contents = [] } = await s3Client(bucket).send(list);
    const sizes = Contents.filter(({ Key }) => Key?.endsWith('.pdf')).map(({ Size = 0 }) => Size);
    expect(new Set(sizes.filter((size) => size > MIB))).toEqual(new Set([length]));
  }
});

/** Returns the number of multipart uploads in progress in the bucket. */
async function unfinished(bucket: BucketEnv): Promise<number> {
  const list = new ListMultipartUploadsCommand({ Bucket: bucket.S3_BUCKET });
  return ((await s3Client(bucket).send(list)).Uploads ?? []).length;
}

/** Uploads the same file repeatedly as a browser does: retries refused calls and continues at the stored offset. */
function keepFiling(to: { url: string; cookie: string }, bytes: Buffer) {
  const kept: string[] = [];
  const others: string[] = [];
  let isOver = false;
  /** Returns a good reply, or null after a moment. */
  const good = async (asked: Promise<Answered>): Promise<Answered | null> => {
    const answer = await asked;
    if (answer.status < 300) return answer;
    if (answer.status !== 503) others.push(`${answer.status} ${answer.text}`);
    await delay(PAUSE_MS);
    return null;
  };
  const file = async (): Promise<string> => {
    let announced: Answered | null = null;
    while (announced === null)
      announced = await good(announce(to, bytes.length, { slot: 'biglietti', filename: 'volo.pdf' }));
    const id = idOf(announced);
    for (;;) {
      const offset = await offsetOf(to, id);
      if (offset !== null && offset < bytes.length) await good(send(to, id, offset, bytes.subarray(offset)));
      const ended = await good(finish(to, id));
      if (ended?.body.state === 'done') return ended.body.item.url;
    }
  };
  const all = (async () => {
    while (!isOver) kept.push(await file());
  })();
  return {
    others,
    /** Waits for `count` more files. */
    more: (count: number) => {
      const least = kept.length + count;
      return expect.poll(() => kept.length).toBeGreaterThanOrEqual(least);
    },
    /** Stops after the current file. Returns the addresses of all stored files. */
    async stop(): Promise<string[]> {
      isOver = true;
      await all;
      return kept;
    },
  };
}
