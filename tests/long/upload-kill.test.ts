import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MediaItem } from '../../src/contract/admin/media-item.ts';
import { openDatabase } from '../../src/server/db/open.ts';
import { spawnBundled } from '../support/bundled.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';
import { announce, finish, idOf, MEDIA, send } from '../support/uploads.ts';

const ROUNDS = 6;

let folder: string;
let server: SpawnedServer;
let cookie: string;
beforeAll(async () => {
  folder = await newFolder();
  server = await spawnBundled({ dataDir: folder });
  cookie = await signUp(server);
});
afterAll(async () => {
  await server.end('SIGTERM');
  await rm(folder, { recursive: true, force: true });
});

const to = () => ({ url: server.url, cookie });

/** Killed at some moment after the last byte; the moments are spread over the whole of the work. */
async function killedInTheMiddle(id: string, ms: number): Promise<void> {
  const asked = finish(to(), id).catch(() => null);
  await delay(ms);
  await server.end('SIGKILL');
  await asked;
  server = await spawnBundled({ dataDir: folder });
}

test('whenever the server is killed in the middle of its work, the file is kept once and whole', async () => {
  const film = await readFile(join(MEDIA, 'iphone.mov'));
  const kept: MediaItem[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const id = idOf(await announce(to(), film.length, { slot: 'video', filename: `${round}.mov` }));
    expect((await send(to(), id, 0, film)).status).toBe(204);
    await killedInTheMiddle(id, (round * 300) / (ROUNDS - 1));
    const { body } = await finish(to(), id);
    expect(body.state).toBe('done');
    kept.push(body.item);
  }
  const { body } = await call(server.url, 'GET', '/admin/media/video', undefined, { cookie });
  expect(body.map(({ nome }: MediaItem) => nome).toSorted()).toEqual(kept.map(({ nome }) => nome).toSorted());
  expect(await readdir(join(folder, 'uploads'))).toEqual([]);
  await server.end('SIGTERM');
  await expectWhole(kept);
  server = await spawnBundled({ dataDir: folder });
}, 240_000);

/** Every file is the one its row describes. */
async function expectWhole(kept: readonly MediaItem[]): Promise<void> {
  const database = await openDatabase({ DATA_DIR: folder, DATABASE_URL: undefined });
  const rows = await database.db.selectFrom('media').selectAll().execute();
  await database.close();
  // Each with its picture.
  expect(rows.length).toBe(2 * kept.length);
  for (const { id, extension, sha256, size } of rows) {
    const bytes = await readFile(join(folder, 'media', `${id}.${extension}`));
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([size, sha256]);
  }
}
