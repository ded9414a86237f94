import { createHash, randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { ListMultipartUploadsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { ok } from '../support/http-evening.ts';
import { prepare } from '../support/prepared.ts';
import { type BucketEnv, newBucket, type Radosgw, s3Client, startRadosgw } from '../support/radosgw.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, finish, idOf, send, ticketsOf } from '../support/uploads.ts';

/** Rounds of kill and start, and what must have gone well and been refused in each before it goes on. */
const ROUNDS = 3;
const UP = 20;
const DOWN = 5;

const MIB = 1024 * 1024;
/** Of the files: two parts in the bucket. */
const SIZE = 19 * MIB;

let radosgw: Radosgw;
let bucket: BucketEnv;
let folder: string;
let server: SpawnedServer;
beforeEach(async () => {
  folder = await newFolder();
  radosgw = await startRadosgw();
  bucket = await newBucket(radosgw.env);
  server = await spawnServer({ dataDir: folder, env: bucket });
});
afterEach(async () => {
  await server.end('SIGKILL');
  await radosgw.stop();
  await rm(folder, { recursive: true, force: true });
});

const readyz = async () => (await fetch(`${server.url}/readyz`)).status;

test('the storage is killed again and again under reads and writes: typed refusals meanwhile, nothing half-written, and back without a restart', async () => {
  const admin = await prepare(server.url);
  const to = { url: server.url, cookie: admin };
  const tickets = await ticketsOf(SIZE);
  const kept: string[] = [];
  const url = await keep(to, tickets);
  kept.push(url);
  const whole = await fetch(`${server.url}${url}`, { headers: { cookie: admin } });
  const bytes = Buffer.from(await whole.arrayBuffer());
  expect([whole.status, bytes.equals(tickets)]).toEqual([200, true]);

  const seen = { good: 0, refused: 0, cut: 0, others: [] as string[] };
  let isOver = false;
  const read = async () => {
    while (!isOver) {
      const start = Math.floor(Math.random() * (bytes.length - MIB));
      const range = `bytes=${start}-${start + MIB - 1}`;
      try {
        const answer = await fetch(`${server.url}${url}`, { headers: { cookie: admin, range } });
        const got = Buffer.from(await answer.arrayBuffer());
        if (answer.status === 206 && got.equals(bytes.subarray(start, start + MIB))) seen.good += 1;
        else if (answer.status === 503 && got.includes('"UNAVAILABLE"')) seen.refused += 1;
        else seen.others.push(`${answer.status} ${got.subarray(0, 200)}`);
      } catch {
        // A transfer under way is cut: a part of a file is never taken for all of it.
        seen.cut += 1;
      }
    }
  };
  const write = async () => {
    while (!isOver) kept.push(await keep(to, tickets));
  };
  const load = [...Array.from({ length: 4 }, read), write()];

  for (let round = 0; round < ROUNDS; round += 1) {
    const before = { ...seen };
    await expect.poll(() => seen.good, { timeout: 60_000 }).toBeGreaterThan(before.good + UP);
    // In the middle of a file's parts.
    await expect.poll(unfinished, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    await radosgw.kill();
    await expect.poll(() => seen.refused, { timeout: 60_000 }).toBeGreaterThan(before.refused + DOWN);
    expect(await readyz()).toBe(503);
    await radosgw.start();
    await expect.poll(readyz, { timeout: 60_000 }).toBe(200);
  }
  isOver = true;
  await Promise.all(load);
  console.log(`Read ${seen.good}, refused ${seen.refused}, cut ${seen.cut}; ${kept.length} files kept.`);

  expect(seen.others).toEqual([]);
  expect(server.process.exitCode).toBeNull();
  const listed = ok(
    await call(server.url, 'GET', '/admin/media/biglietti', undefined, { cookie: admin }),
  ).body;
  expect(listed.map((item: { url: string }) => item.url).toSorted()).toEqual(kept.toSorted());
  for (const each of kept) {
    const answer = await fetch(`${server.url}${each}`, { headers: { cookie: admin } });
    const hash = createHash('sha256')
      .update(Buffer.from(await answer.arrayBuffer()))
      .digest('hex');
    expect(answer.headers.get('etag')).toBe(`"${hash}"`);
  }
  // What has a name in the bucket is whole, whether anything refers to it or not.
  const list = new ListObjectsV2Command({ Bucket: bucket.S3_BUCKET, Prefix: 'media/' });
  const pdfs = ((await s3Client(bucket).send(list)).Contents ?? []).filter(({ Key }) =>
    Key?.endsWith('.pdf'),
  );
  expect(new Set(pdfs.map(({ Size }) => Size))).toEqual(new Set([tickets.length]));
});

/** Uploads of parts that are under way in the bucket. */
async function unfinished(): Promise<number> {
  const list = new ListMultipartUploadsCommand({ Bucket: bucket.S3_BUCKET });
  return ((await s3Client(bucket).send(list)).Uploads ?? []).length;
}

/** Uploads a file to its end, as a browser does: what came stays, and who is refused asks again. Its address. */
async function keep(to: { url: string; cookie: string }, file: Buffer): Promise<string> {
  const filename = `${randomBytes(4).toString('hex')}.pdf`;
  const id = idOf(await announce(to, file.length, { slot: 'biglietti', filename }));
  expect((await send(to, id, 0, file)).status).toBe(204);
  for (;;) {
    const { status, body } = await finish(to, id);
    if (body.state === 'done') return body.item.url;
    expect([status, body.codice]).toEqual([503, 'UNAVAILABLE']);
  }
}
