import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ERASE_WORD, type Keep } from '../../src/contract/admin/archive.ts';
import { LIVE_TOPICS } from '../../src/contract/admin/dashboard.ts';
import { DATA_DIR_RULES } from '../../src/server/features/archive/rules.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';
import { listen } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import { type Evening, enter, ok, prepareEvening, walkTo } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, idOf, send } from '../support/uploads.ts';

const NOTHING: Keep = { codes: false, configuration: false, account: false };
const ALL: Keep = { codes: true, configuration: true, account: true };
/** Texts that only this evening contains: if one is found afterwards, it was not erased. */
const WORDS = {
  phrase: 'Ti ricordi il faro di Portofino',
  name: 'Ginevra',
  question: 'Vieni con me a Zanzibar?',
  reply: 'Non dimenticherò mai quel faro',
  upload: 'filmato-di-ginevra.mp4',
} as const;

let database: TestDatabase;
let server: TestServer;
let evening: Evening;
let visitor: string;
const get = (path: string, cookie = evening.admin) => call(server.url, 'GET', path, undefined, { cookie });
const post = (path: string, body: object, cookie = evening.admin) =>
  call(server.url, 'POST', path, body, { cookie });
const erase = (keep: Keep, word: string = ERASE_WORD) => post('/admin/erase', { keep, word });
const begin = () => startServer({ env: database.env, dataDir: database.env.DATA_DIR });

beforeEach(async () => {
  database = await sqliteDatabase();
  await database.close();
  server = await begin();
  evening = await prepareEvening(server, {
    frasi_pre_video: [WORDS.phrase],
    recipient_name: WORDS.name,
    keepsake_until: '2100-12-31',
  });
  const fields = { domanda_1: WORDS.question };
  ok(await call(server.url, 'PATCH', '/admin/questions', { versione: 1, fields }, { cookie: evening.admin }));
  visitor = await enter(server, evening);
  await walkTo(server, visitor, 'closing', 2);
  const { cookie } = ok(await post('/visit/complete', {}, visitor));
  ok(await post('/keepsake/open', { token: evening.token.token }, cookie));
  ok(await post('/keepsake/reply', { text: WORDS.reply }, cookie));
  await post('/access', { token: 'ROM-NO', attempt_id: crypto.randomUUID(), device_id: 'device-1' }, '');
  const to = { url: server.url, cookie: evening.admin };
  const half = idOf(await announce(to, 1_000, { slot: 'video', filename: WORDS.upload }));
  await send(to, half, 0, Buffer.alloc(500, 7));
  // Another visit is in progress.
  visitor = await enter(server, evening);
});
afterEach(async () => {
  await server.stop();
  await database.drop();
});

test('counts the data and erases it only with the exact word', async () => {
  const { db } = server.deps;
  const events = await db.selectFrom('event_logs').select('id').execute();
  const accesses = await db.selectFrom('access_logs').select('id').execute();
  const files = await db.selectFrom('media').select('size').execute();
  expect(Math.min(events.length, accesses.length)).toBeGreaterThan(0);
  const backups = join(database.env.DATA_DIR, 'backups');
  await mkdir(backups);
  for (const file of ['a.zip', 'b.zip', 'lettera.txt']) await writeFile(join(backups, file), '');
  const counts = {
    visits: 2,
    living: 1,
    answers: 2,
    replies: 1,
    codes: 1,
    events: events.length + accesses.length,
    files: 5,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    backups: 2,
  };
  expect(ok(await get('/admin/erase')).body).toEqual(counts);
  for (const word of ['', 'cancella', 'CANCELLA ']) expect((await erase(NOTHING, word)).status).toBe(400);
  expect(ok(await get('/admin/erase')).body).toEqual(counts);
});

test('leaves no row, no file and no text of a complete erase, and the install is new', async () => {
  const disconnected = await listen(server.url, visitor);
  const messages: object[] = [];
  server.deps.live.subscribe((message) => messages.push(message));
  ok(await erase(NOTHING));
  expect(messages).toContainEqual({ type: 'changed', topics: [...LIVE_TOPICS] });
  await expect.poll(() => disconnected.text()).toContain('"token_deleted"');
  disconnected.close();
  expect((await get('/admin/erase')).body.codice).toBe('SIGN_IN_REQUIRED');
  expect((await post('/visit/heartbeat', {}, visitor)).status).toBe(401);
  expect(ok(await get('/admin/registration', '')).body).toMatchObject({ registration_open: true });
  expect(await filledTables(server)).toEqual([]);
  await server.stop();
  expect(await found(database, [...Object.values(WORDS), evening.token.token, '@example.org'])).toEqual([]);
  const emptied = Object.entries(DATA_DIR_RULES).filter(([, { erase }]) => erase === 'erased');
  expect(emptied.length).toBeGreaterThan(0);
  for (const [folder] of emptied) {
    const left = await readdir(join(database.env.DATA_DIR, folder));
    // The storage's identity, by which nodes recognize it, contains nothing of an evening.
    expect(left.filter((name) => name !== '.identity')).toEqual([]);
  }
  server = await begin();
  // The new install can be prepared again.
  await prepareEvening(server);
});

test('preserves the selected data, without its files', async () => {
  ok(await erase(ALL));
  const { codes, ...others } = ok(await get('/admin/erase')).body;
  expect([codes, new Set(Object.values(others))]).toEqual([1, new Set([0])]);
  const config = ok(await get('/admin/config')).body;
  expect(config).toMatchObject({ frasi_pre_video: [WORDS.phrase], recipient_name: WORDS.name });
  const files = ['video_url', 'canzone_url', 'immagine_destinazione_url', 'biglietti_url', 'biglietti_url_2'];
  for (const field of files) expect(config[field], field).toBeNull();
  expect(ok(await get('/admin/questions')).body).toMatchObject({ domanda_1: WORDS.question });
  expect(ok(await get('/admin/tokens')).body).toMatchObject([{ token: evening.token.token }]);
  // A stale page can't save over it, and the next save succeeds.
  const { versione } = config;
  const save = (version: number) => {
    const body = { versione: version, fields: { contatto: '@lui' } };
    return call(server.url, 'PATCH', '/admin/config', body, { cookie: evening.admin });
  };
  expect((await save(versione - 1)).body.codice).toBe('STALE_VERSION');
  ok(await save(versione));
  await server.stop();
  expect(await found(database, [WORDS.reply, WORDS.upload])).toEqual([]);
  server = await begin();
});

/**
 * Tables with rows after an erase: rate limits continue, `ready_watch` has an empty row again, and the identity by
 * which nodes recognize each other contains nothing of an evening.
 */
const BEGUN_ANEW = ['rate_limits', 'ready_watch', 'install_identity'];

async function filledTables({ deps: { db } }: TestServer): Promise<string[]> {
  const names = (await db.introspection.getTables()).map((table) => table.name);
  const filled: string[] = [];
  for (const table of names) {
    const { rows } = await sql`select 1 from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0 && !BEGUN_ANEW.includes(table)) filled.push(table);
  }
  return filled;
}

/** Returns the words that any file of the folder contains, including the stopped database. */
async function found(database: TestDatabase, words: string[]): Promise<string[]> {
  const folder = database.env.DATA_DIR;
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts: string[] = [];
  for (const entry of entries)
    if (entry.isFile()) texts.push(await readFile(join(entry.parentPath, entry.name), 'latin1'));
  expect(entries.map((entry) => entry.name)).toContain('sorpresa.db');
  const asStored = (word: string) => Buffer.from(word).toString('latin1');
  return words.filter((word) => texts.some((text) => text.includes(asStored(word))));
}
