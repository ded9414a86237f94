import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/server/db/open.ts';
import { canaries, codes, cookies, playEvening, replies } from '../support/canary-evening.ts';
import { type OwnPostgres, ownPostgres } from '../support/own-postgres.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';
import { type TelegramServer, telegramServer } from '../support/telegram.ts';

/** Runs an evening in which every secret is unique, then searches for each where it must not be. */

const { email, passwords, setupCode, botToken, typed } = canaries;

let folder: string;
let postgres: OwnPostgres;
let telegram: TelegramServer;
let server: SpawnedServer;

beforeAll(async () => {
  folder = await newFolder();
  [postgres, telegram] = await Promise.all([ownPostgres(), telegramServer(botToken)]);
  server = await spawnServer({
    dataDir: folder,
    env: {
      DATABASE_URL: postgres.url,
      LOG_LEVEL: 'trace',
      SETUP_CODE: setupCode,
      TELEGRAM_API_ROOT: telegram.root,
      TRUSTED_PROXIES: '127.0.0.1',
    },
  });
  await playEvening({ server, dataDir: folder, telegram, postgres });
  await server.end('SIGTERM');
});
afterAll(async () => {
  await server?.end('SIGKILL');
  await telegram?.close();
  await postgres?.remove();
  await rm(folder, { recursive: true, force: true });
});

test('runs a complete evening', () => {
  expect(replies.map(({ what, reply }) => `${what} ${reply.slice(0, 3)}`)).toEqual(
    expect.arrayContaining([
      'POST /visit/answers 200',
      'POST /visit/complete 200',
      'POST /access 403',
      'POST /access 503',
      'GET /admin/logs.csv 200',
      'GET /admin/answers 200',
      'GET /admin/notifications 200',
      'POST /admin/notifications/test 200',
      'POST /admin/notifications/chats 200',
    ]),
  );
  for (const jar of Object.values(cookies)) expect(jar.length).toBeGreaterThan(0);
  const replyTo = (requestName: string) => replies.find(({ what }) => what === requestName)?.reply ?? '';
  expect(replyTo('GET /admin/events')).toContain('"answers"');
  expect(replyTo('GET /admin/logs.csv')).toContain(typed[0]?.replace('-', ''));
  expect(replyTo('GET /admin/config')).toContain('telegram_bot_token_masked');
  expect(telegram.messages.map(({ text }) => text).join('\n')).toContain('primo viaggio');
  expect(server.output().match(/"msg":"request"/g)?.length).toBeGreaterThan(30);
});

test('logs no secret', async () => {
  const secrets = [
    ...(await secretsOfAll()),
    ...Object.values(codes),
    ...typed.flatMap((code) => [code, code.replace('-', '')]),
    ...Object.values(cookies).flat(),
  ];
  expect(secrets.filter((secret) => server.output().includes(secret))).toEqual([]);
});

test('returns secrets only to their owner', async () => {
  const all = await secretsOfAll();
  for (const { actor, what, reply } of replies) {
    const foreign = [
      ...all.filter((secret) => actor !== 'admin' || secret !== email),
      ...typed,
      ...(['she', 'other'] as const)
        .filter((owner) => owner !== actor && actor !== 'admin')
        .map((owner) => codes[owner]),
      ...(['admin', 'she', 'other'] as const)
        .filter((owner) => owner !== actor)
        .flatMap((owner) => cookies[owner]),
    ];
    expect(
      foreign.filter((secret) => reply.includes(secret)),
      `${what}, to ${actor}`,
    ).toEqual([]);
  }
});

test('sends messages with codes but no other secret', async () => {
  const sentText = telegram.messages.map(({ text }) => text).join('\n');
  const secrets = [...(await secretsOfAll()), ...Object.values(cookies).flat()];
  expect(secrets.filter((secret) => sentText.includes(secret))).toEqual([]);
});

test('stores no passwords, bot tokens or visitor cookies in the database', async () => {
  const { db, close } = await openDatabase({ DATABASE_URL: postgres.url, DATA_DIR: folder });
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const dump: string[] = [];
  for (const { name } of rows)
    dump.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows));
  await close();
  const dumpText = dump.join('\n');
  expect(dumpText).toContain(codes.she);
  const visitors = [...cookies.she, ...cookies.other];
  const secrets = [...Object.values(passwords), botToken, botToken.slice(10), setupCode, ...visitors];
  expect(secrets.filter((secret) => dumpText.includes(secret))).toEqual([]);
});

/** Returns the secrets that are never sent to any client. */
async function secretsOfAll(): Promise<string[]> {
  const keys = await Promise.all(
    ['auth', 'encryption'].map((name) => readFile(join(folder, `secret-${name}`), 'utf8')),
  );
  return [
    email,
    ...Object.values(passwords),
    setupCode,
    botToken,
    botToken.slice(10),
    new URL(postgres.url).password,
    ...keys.map((key) => key.trim()),
  ];
}
