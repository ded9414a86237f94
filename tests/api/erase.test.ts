import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LIVE_TOPICS } from '../../src/contract/admin/live.ts';
import { ERASE_WORD, type Keep } from '../../src/domain/erasing.ts';
import { ERASED_IN_DATA_DIR } from '../../src/server/features/erase/rules.ts';
import { listen } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { newFolder, startServer, type TestServer } from '../support/server.ts';
import { announce, idOf, send } from '../support/uploads.ts';

const NOTHING: Keep = { codes: false, configuration: false, account: false };
const ALL: Keep = { codes: true, configuration: true, account: true };

/** What is only this evening's: found anywhere afterwards, it was not erased. */
const WORDS = {
  phrase: 'Ti ricordi il faro di Portofino',
  name: 'Ginevra',
  question: 'Vieni con me a Zanzibar?',
  reply: 'Non dimenticherò mai quel faro',
  upload: 'filmato-di-ginevra.mp4',
} as const;

let dataDir: string;
let server: TestServer;
let evening: Evening;
let visitor: string;

const ask = (method: string, path: string, body?: unknown, cookie = evening.admin) =>
  call(server.url, method, path, body, { cookie });
const get = (path: string) => ask('GET', path);
const erase = (keep: Keep, word: string = ERASE_WORD) => ask('POST', '/admin/erase', { keep, word });

beforeEach(async () => {
  dataDir = await newFolder();
  server = await startServer({ dataDir });
  const words = { frasi_pre_video: [WORDS.phrase], recipient_name: WORDS.name };
  evening = await prepareEvening(server, { ...words, keepsake_until: '2100-12-31' });
  ok(await ask('PATCH', '/admin/questions', { versione: 1, fields: { domanda_1: WORDS.question } }));
  visitor = await enter(server, evening);
  await walkTo(server, visitor, 'closing', 2);
  const { cookie } = ok(await ask('POST', '/visit/complete', {}, visitor));
  ok(await ask('POST', '/keepsake/open', { token: evening.token.token }, cookie));
  ok(await ask('POST', '/keepsake/reply', { text: WORDS.reply }, cookie));
  await ask('POST', '/access', {
    token: 'ROM-SBAGLIATO',
    attempt_id: crypto.randomUUID(),
    device_id: 'device-1',
  });
  const to = { url: server.url, cookie: evening.admin };
  const half = idOf(await announce(to, 1_000, { slot: 'video', filename: WORDS.upload }));
  await send(to, half, 0, Buffer.alloc(500, 7));
  // Another one is in the middle of it.
  visitor = await enter(server, evening);
});
afterEach(async () => {
  await server.stop();
  await rm(dataDir, { recursive: true });
});

test('erases by its word alone what was counted, and keeps what is to be kept without its files', async () => {
  const { db } = server.deps;
  const rows = async (table: 'event_logs' | 'access_logs') =>
    (await db.selectFrom(table).selectAll().execute()).length;
  const [events, accesses] = [await rows('event_logs'), await rows('access_logs')];
  const files = await db.selectFrom('media').select('size').execute();
  expect(Math.min(events, accesses)).toBeGreaterThan(0);
  await mkdir(join(dataDir, 'backups'));
  for (const file of ['a.zip', 'b.zip', 'lettera.txt']) await writeFile(join(dataDir, 'backups', file), '');
  const there = {
    visits: 2,
    living: 1,
    answers: 2,
    replies: 1,
    codes: 1,
    events: events + accesses,
    files: 5,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    backups: 2,
  };
  for (const word of ['', 'cancella', 'CANCELLA ']) expect((await erase(NOTHING, word)).status).toBe(400);
  expect(ok(await get('/admin/erase')).body).toEqual(there);
  ok(await erase(ALL));
  const nothing = Object.fromEntries(Object.keys(there).map((name) => [name, 0]));
  expect(ok(await get('/admin/erase')).body).toEqual({ ...nothing, codes: 1 });
  const config = ok(await get('/admin/config')).body;
  expect(config).toMatchObject({ frasi_pre_video: [WORDS.phrase], recipient_name: WORDS.name });
  const pictures = [config.immagine_destinazione_url, config.biglietti_url, config.biglietti_url_2];
  expect([config.video_url, config.canzone_url, ...pictures]).toEqual(Array(5).fill(null));
  expect(ok(await get('/admin/questions')).body).toMatchObject({ domanda_1: WORDS.question });
  expect(ok(await get('/admin/tokens')).body).toMatchObject([{ token: evening.token.token }]);
  // A stale window saves nothing over it, and the next save goes on.
  const save = (versione: number) =>
    ask('PATCH', '/admin/config', { versione, fields: { contatto: '@lui' } });
  expect((await save(config.versione - 1)).body.codice).toBe('STALE_VERSION');
  ok(await save(config.versione));
  await server.stop();
  expect(await found([WORDS.reply, WORDS.upload])).toEqual([]);
});

test('erases whole: no row, file or word is left, and the install is a new one', async () => {
  const disconnected = await listen(server.url, visitor);
  const heard: object[] = [];
  server.deps.live.subscribe((message) => heard.push(message));
  ok(await erase(NOTHING));
  expect(heard).toContainEqual({ type: 'changed', topics: [...LIVE_TOPICS] });
  await expect.poll(() => disconnected.text()).toContain('"token_deleted"');
  disconnected.close();
  expect((await get('/admin/erase')).body.codice).toBe('SIGN_IN_REQUIRED');
  expect((await ask('POST', '/visit/heartbeat', {}, visitor)).status).toBe(401);
  expect(ok(await get('/admin/registration')).body).toMatchObject({ registration_open: true });
  expect(await filledTables(server)).toEqual([]);
  for (const row of await server.deps.db.selectFrom('ready_watch').select('told').execute())
    expect(row).toEqual({ told: null });
  await server.stop();
  expect(await found([...Object.values(WORDS), evening.token.token, '@example.org'])).toEqual([]);
  const emptied = Object.entries(ERASED_IN_DATA_DIR).filter(([, rule]) => rule === 'erased');
  expect(emptied.length).toBeGreaterThan(0);
  for (const [folder] of emptied) {
    const left = await readdir(join(dataDir, folder));
    // What nodes know a storage by tells nothing of an evening.
    expect(left.filter((name) => name !== '.identity')).toEqual([]);
  }
  server = await startServer({ dataDir });
  await prepareEvening(server);
});

/** What is counted goes on, the row of who watches comes back empty, and what nodes know each other by tells nothing of an evening. */
const BEGUN_ANEW = ['rate_limits', 'ready_watch', 'install_identity'];

/** Tables with anything in them, but Kysely's own. */
async function filledTables({ deps: { db } }: TestServer): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0 && !BEGUN_ANEW.includes(name)) filled.push(name);
  }
  return filled;
}

/** Which of these words lie in a file of the folder, the stopped database's own among them. */
async function found(words: string[]): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  expect(files.map(({ name }) => name)).toContain('sorpresa.db');
  const texts = await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')));
  const asStored = (word: string) => Buffer.from(word).toString('latin1');
  return words.filter((word) => texts.some((text) => text.includes(asStored(word))));
}
