import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Db } from '../../src/server/db/tables.ts';
import { spawnBundled } from './bundled.ts';
import type { Client, Reply } from './client.ts';
import { FULL_CONFIGURATION, FULL_QUESTIONS } from './evenings.ts';
import { call } from './http.ts';
import { ok, saveConfig, signUp } from './http-evening.ts';
import { inParallel } from './parallel.ts';
import { newFolder, type SpawnedServer, startServer, type TestServer } from './server.ts';

export type Code = { id: string; token: string };

/** Registers an administrator and configures a complete evening; returns the administrator's cookie. */
export async function prepare(url: string, changes: Record<string, unknown> = {}): Promise<string> {
  const cookie = await signUp({ url });
  await saveConfig({ url }, cookie, { ...FULL_CONFIGURATION, contatto: '@anna', ...changes });
  ok(await call(url, 'PATCH', '/admin/questions', { versione: 0, fields: FULL_QUESTIONS }, { cookie }));
  return cookie;
}

/** Creates `count` codes that never expire, for one use each by default. */
export function makeCodes(url: string, cookie: string, count: number, max_accessi = 1): Promise<Code[]> {
  const body = { nome: 'Per lei', max_accessi, giorni: null };
  const make = async (): Promise<Code> => ok(await call(url, 'POST', '/admin/tokens', body, { cookie })).body;
  return inParallel(
    Array.from({ length: count }, () => make),
    8,
  );
}

/** A server in a separate process, with its prepared data. */
export type PreparedServer<T> = SpawnedServer & {
  folder: string;
  prepared: T;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
};

/** Prepares a new folder in this process, then starts the product on it in another, with separate memory and output. */
export async function spawnPrepared<T>(
  prepare: (before: TestServer) => Promise<T>,
  env: Record<string, string> = {},
): Promise<PreparedServer<T>> {
  const folder = await newFolder();
  const before = await startServer({ dataDir: folder });
  const prepared = await prepare(before).finally(() => before.stop());
  const server = await spawnBundled({ dataDir: folder, env });
  const stop = async () => {
    await server.end('SIGTERM');
    await rm(folder, { recursive: true, force: true });
  };
  return { ...server, folder, prepared, stop };
}

const WRITERS = 8;

/** Client and address for entries. */
type EntryPoint = { client: Client; url: string };

/** An entry or a report of its visit, until it gets a reply other than 503. */
export type Entry = {
  code: Code;
  attempt_id: string;
  device_id: string;
  from: string;
  refusals: number;
  cookie: string | undefined;
};

export function newEntry(code: Code, n: number): Entry {
  const from = `10.0.${n >> 8}.${n & 255}`;
  return { code, attempt_id: randomUUID(), device_id: `device-${n}`, from, refusals: 0, cookie: undefined };
}

export function enter(
  { client, url }: EntryPoint,
  { code, attempt_id, device_id, from }: Entry,
): Promise<Reply> {
  const body = { token: code.token, attempt_id, device_id };
  return client.post(url, '/access', body, { from });
}

/** Reports the visit's first step, which `checkEntries` expects. */
export const move = ({ client, url }: EntryPoint, { cookie }: Entry) =>
  client.post(url, '/visit/position', { step: 0, phrase: 1, second: 0 }, { cookie });

/** Enters and reports with one code after another in parallel, retrying after 503. */
export function startLoad(door: EntryPoint, codes: readonly Code[]) {
  const waiting = codes.map((code, n) => newEntry(code, n)).toReversed();
  const done: Entry[] = [];
  const others: string[] = [];
  /** Number of replies by status. */
  const counts: Record<number, number> = {};
  let stopping = false;

  async function until(entry: Entry, ask: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      const reply = await ask();
      const { status, body, text } = reply;
      counts[status] = (counts[status] ?? 0) + 1;
      if (status !== 200 && body?.codice !== 'UNAVAILABLE') others.push(`${status} ${text}`);
      if (status !== 503) return reply;
      entry.refusals += 1;
    }
  }

  async function writer(): Promise<void> {
    while (!stopping) {
      const entry = waiting.pop();
      if (entry === undefined) throw new Error('No code is left');
      entry.cookie = (await until(entry, () => enter(door, entry))).cookie;
      await until(entry, () => move(door, entry));
      done.push(entry);
    }
  }

  const working = Promise.all(Array.from({ length: WRITERS }, writer));
  return {
    others,
    /** Resolves after `count` more replies with this status. */
    async answered(status: number, count: number): Promise<void> {
      const end = (counts[status] ?? 0) + count;
      const isThere = async () => {
        while ((counts[status] ?? 0) < end) await delay(5, null, { ref: false });
      };
      await Promise.race([isThere(), working]);
    },
    async stop(): Promise<Entry[]> {
      stopping = true;
      await working;
      return done;
    },
  };
}

/** Expects each acknowledged entry to be stored once. */
export async function checkEntries(db: Db, entries: readonly Entry[]): Promise<void> {
  const sessions = await db
    .selectFrom('active_sessions')
    .select(['attempt_id', 'token_id', 'phrase'])
    .execute();
  const stored = new Map(sessions.map((session) => [session.attempt_id, session]));
  expect(sessions).toHaveLength(entries.length);
  for (const { attempt_id, code } of entries)
    expect(stored.get(attempt_id)).toEqual({ attempt_id, token_id: code.id, phrase: 1 });
  const used = await db.selectFrom('tokens').select('id').where('accessi_usati', '=', 1).execute();
  expect(used).toHaveLength(entries.length);
  expect(entries.filter(({ refusals }) => refusals > 0).length).toBeGreaterThan(0);
}
