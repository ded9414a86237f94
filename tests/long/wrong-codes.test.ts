import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { type CallTime, callsWhile, p, told } from '../support/call-times.ts';
import { type Client, createClient } from '../support/client.ts';
import { type EmptyDatabase, emptyPostgres, emptySqlite } from '../support/databases.ts';
import { makeCodes, prepare } from '../support/prepared.ts';
import { spawnServer } from '../support/server.ts';

/** What a visitor feels of 50 wrong codes in parallel from one network, for 30 s. The figures are printed, not judged: the machine may be busy. */
const FLOOD_MS = 30_000;
const GUESSER = resolve(import.meta.dirname, '../support/wrong-codes.ts');

const SETUPS: [string, () => Promise<EmptyDatabase>][] = [
  ['SQLite', emptySqlite],
  ['PostgreSQL', emptyPostgres],
];

test.each(SETUPS)('50 wrong codes in parallel from one network, on %s', async (name, empty) => {
  const database = await empty();
  const { DATA_DIR, ...where } = database.env;
  const settings = { ...where, TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };
  const server = await spawnServer({ dataDir: DATA_DIR, env: settings });
  const client = createClient(2);
  const admin = await prepare(server.url);
  const [code] = await makeCodes(server.url, admin, 1);
  const entry = { token: code?.token, attempt_id: randomUUID(), device_id: 'device-1-y' };
  const { cookie } = await client.post(server.url, '/access', entry, { from: '192.0.2.7' });
  await measure(client, server.url, cookie, 2_000);

  const quiet = await measure(client, server.url, cookie, FLOOD_MS / 2);
  const guesser = startGuesser(server.url);
  const flooded = await measure(client, server.url, cookie, FLOOD_MS);
  const answered = await endGuesser(guesser);
  const after = await measure(client, server.url, cookie, FLOOD_MS / 2);

  console.log(
    [
      `${name}: a visitor's call, without wrong codes: ${told(quiet)}; with them: ${told(flooded)}; after: ${told(after)}`,
      `p99 with / without: ${(p(flooded, 99) / p(quiet, 99)).toFixed(2)}; the guesser was answered ${JSON.stringify(answered)}`,
    ].join('\n'),
  );
  expect(Object.keys(answered)).toEqual(['403']);
  const other = { ...entry, attempt_id: randomUUID() };
  expect((await client.post(server.url, '/access', other, { cookie, from: '192.0.2.7' })).status).toBe(200);
  client.close();
  await server.end('SIGTERM');
  await database.remove();
});

function measure(client: Client, url: string, cookie: string, ms: number): Promise<CallTime[]> {
  const end = performance.now() + ms;
  return callsWhile(client, url, cookie, () => performance.now() < end);
}

function startGuesser(url: string): ChildProcess {
  return spawn(process.execPath, [GUESSER], {
    env: { PATH: process.env.PATH, TARGET: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function endGuesser(guesser: ChildProcess): Promise<Record<string, number>> {
  let output = '';
  guesser.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  guesser.kill('SIGTERM');
  await once(guesser, 'close');
  return JSON.parse(output) as Record<string, number>;
}
