import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/server/db/open.ts';
import { ffmpeg } from '../support/ffmpeg.ts';
import type { Answered } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { announce, finish, idOf, send } from '../support/uploads.ts';

const ROUNDS = 20;

let folder: string;
let postgres: OwnPostgres;
let database: Database;
let stays: SpawnedServer;
let film: Buffer;

const node = () => spawnServer({ dataDir: folder, env: { DATABASE_URL: postgres.url } });

beforeEach(async () => {
  folder = await newFolder();
  postgres = await ownPostgres();
  stays = await node();
  database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: postgres.url });
  film = await filmToConvert();
});
afterEach(async () => {
  await stays.end('SIGKILL');
  await database.close();
  await postgres.remove();
  await rm(folder, { recursive: true, force: true });
});

/** What no phone plays, long enough to be killed in the middle of its conversion. */
async function filmToConvert(): Promise<Buffer> {
  const place = await mkdtemp(join(tmpdir(), 'films-'));
  const path = join(place, 'film.mp4');
  const picture = 'testsrc2=size=960x540:rate=25:duration=12';
  await ffmpeg('-f', 'lavfi', '-i', picture, '-c:v', 'mpeg4', '-q:v', '8', path);
  const bytes = await readFile(path);
  await rm(place, { recursive: true });
  return bytes;
}

const progressOf = async (id: string) =>
  (
    await database.db
      .selectFrom('upload_leases')
      .select('progress')
      .where('key', '=', `work:${id}`)
      .executeTakeFirst()
  )?.progress ?? null;

test('nodes that are killed while they convert a film: the other does it, each is kept once and whole', {
  timeout: 900_000,
}, async () => {
  const cookie = await signUp(stays);
  const asked: Promise<Answered>[] = [];
  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const killed = await node();
    const to = { url: killed.url, cookie };
    const id = idOf(await announce(to, film.length, { slot: 'video', filename: `${round}.mp4` }));
    expect((await send(to, id, 0, film)).status).toBe(204);
    await expect.poll(() => progressOf(id), { timeout: 60_000, interval: 20 }).not.toBeNull();
    await killed.end('SIGKILL');
    // It was at it until then.
    expect(await progressOf(id)).not.toBeNull();
    ids.push(id);
    asked.push(finish({ url: stays.url, cookie }, id));
  }
  const ends = await Promise.all(asked);
  expect(ends.map(({ status, body }) => [status, body.state])).toEqual(ends.map(() => [200, 'done']));
  const videos = await database.db.selectFrom('videos').select('nome').execute();
  expect(videos.map(({ nome }) => nome).toSorted()).toEqual(ids.map((_, n) => `${n}.mp4`).toSorted());
  for (const id of ids) await expectWhole(id);
  expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  expect(stays.output()).not.toContain('"level":50');
});

/** The file is the one that its row describes. */
async function expectWhole(id: string): Promise<void> {
  const row = await database.db
    .selectFrom('media')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const bytes = await readFile(join(folder, 'media', `${id}.${row.extension}`));
  expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([row.size, row.sha256]);
}
