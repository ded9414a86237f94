import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { openBeside } from '../../src/server/db/beside.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { spawnBundled } from '../support/bundled.ts';
import { type Client, createClient, NoReply, type Reply } from '../support/client.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkLaws } from '../support/laws.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { createRandom, type Random } from '../support/random.ts';
import { newFolder } from '../support/server.ts';
import { SOAK_MS } from '../support/soak.ts';
import { type Model, nextWrite, type Write } from '../support/writes.ts';

const WRITERS = 8;
/** The kill comes after so many answers at most, and so many ms after the last of them at most. */
const LATEST = { answers: 60, ms: 12 };
const SETTINGS = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };

/** One visitor after another, one request after another: what is stored is known exactly, but for the one request under way. */
type Writer = {
  name: number;
  model: Model;
  cookie: string;
  unknown: Write | null;
  /** Visits that are over. */
  done: Model[];
};

const counts = { acknowledged: 0, refused: 0, unknownStored: 0, unknownAbsent: 0 };

test('kills in the middle of writes lose nothing that was acknowledged', {
  timeout: 180_000 + SOAK_MS,
}, async () => {
  let cycle = 1;
  const folder = await newFolder();
  const random = createRandom('kills');
  const client = createClient(WRITERS);
  const start = () => spawnBundled({ dataDir: folder, env: SETTINGS });
  let server = await start();
  const database = await openBeside({ DATA_DIR: folder, DATABASE_URL: undefined });
  if (database === null) throw new Error('The server made no database');
  try {
    const admin = await prepare(server.url, NO_SECOND_TRIP);
    const codes: Code[] = await makeCodes(server.url, admin, 100);
    const writers = Array.from({ length: WRITERS }, (_, name) => newWriter(name, codes));
    const end = Date.now() + SOAK_MS;
    for (; Date.now() < end; cycle += 1) {
      if (codes.length < 100) codes.push(...(await makeCodes(server.url, admin, 100)));
      const { url } = server;
      const moment = countdown(random.int(LATEST.answers));
      const working = writers.map((writer) => work(client, url, writer, codes, random, moment.tick));
      await Promise.race([moment.reached, Promise.all(working)]);
      await delay(random.int(LATEST.ms));
      await server.end('SIGKILL');
      await Promise.all(working);
      server = await start();
      await check(database.db, writers, `kill ${cycle}`);
      for (const writer of writers) await resolveUnknown(client, server.url, writer, codes);
      await check(database.db, writers, `kill ${cycle}, after the retries`);
    }
  } finally {
    client.close();
    await database.close();
    await server.end('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
  console.log(`after ${cycle - 1} kills:`, counts);
  expect(counts.acknowledged).toBeGreaterThan(cycle);
  expect(counts.refused).toBeGreaterThan(0);
});

function newWriter(name: number, codes: Code[]): Writer {
  return { name, model: newModel(name, codes), cookie: '', unknown: null, done: [] };
}

function newModel(name: number, codes: Code[]): Model {
  const code = codes.pop();
  if (code === undefined) throw new Error('No code is left');
  return { code, attempt_id: randomUUID(), device_id: `device-${name}`, row: null, answers: null };
}

/** `reached` once `tick` has been called so often. */
function countdown(times: number): { tick(): void; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let left = times;
  if (left === 0) resolve();
  const tick = () => {
    left -= 1;
    if (left === 0) resolve();
  };
  return { tick, reached };
}

/** Writes until no reply comes. */
async function work(
  client: Client,
  url: string,
  writer: Writer,
  codes: Code[],
  random: Random,
  answered: () => void,
): Promise<void> {
  for (;;) {
    const write = nextWrite(writer.model, random);
    const reply = await send(client, url, writer, write);
    if (reply === null) {
      writer.unknown = write;
      return;
    }
    acknowledge(writer, write, reply, codes);
    counts[reply.status < 300 ? 'acknowledged' : 'refused'] += 1;
    answered();
  }
}

/** Asks again for what was not answered: by now it must be answered as it would have been. */
async function resolveUnknown(client: Client, url: string, writer: Writer, codes: Code[]): Promise<void> {
  const { unknown } = writer;
  if (unknown === null) return;
  const reply = await send(client, url, writer, unknown);
  if (reply === null) throw new Error('The restarted server does not answer');
  writer.unknown = null;
  acknowledge(writer, unknown, reply, codes);
}

async function send(
  client: Client,
  url: string,
  { name, cookie }: Writer,
  { path, body, from = `10.0.0.${name + 1}` }: Write,
): Promise<Reply | null> {
  const sending = { from, ...(path === '/access' ? {} : { cookie }) };
  return client.post(url, path, body, sending).catch((error: unknown) => {
    if (error instanceof NoReply) return null;
    throw error;
  });
}

function acknowledge(writer: Writer, write: Write, reply: Reply, codes: Code[]): void {
  if (!write.answered.includes(reply.status))
    throw new Error(`${write.path} ${JSON.stringify(write.body)}: ${reply.status} ${reply.text}`);
  writer.model = write.after;
  if (write.path === '/access' && reply.status === 200) writer.cookie = reply.cookie;
  if (!writer.model.row?.completed) return;
  writer.done.push(writer.model);
  writer.model = newModel(writer.name, codes);
}

/** The file is whole, the laws hold, and every visit is stored as acknowledged: no more, no less, but for what nobody knows yet. */
async function check(db: Db, writers: readonly Writer[], when: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  expect(rows, when).toEqual([{ integrity_check: 'ok' }]);
  expect(await checkLaws(db, new Date()), when).toEqual([]);
  const stored = await readModels(db);
  for (const { model, unknown, done } of writers) {
    for (const over of done) expect(stored.get(over.attempt_id), when).toEqual(stateOf(over));
    const found = stored.get(model.attempt_id) ?? stateOf({ ...model, row: null });
    if (unknown === null) {
      expect(found, when).toEqual(stateOf(model));
      continue;
    }
    expect([stateOf(model), stateOf(unknown.after)], `${when}: ${unknown.path}`).toContainEqual(found);
    const changes = JSON.stringify(stateOf(unknown.after)) !== JSON.stringify(stateOf(model));
    if (changes)
      counts[JSON.stringify(found) === JSON.stringify(stateOf(model)) ? 'unknownAbsent' : 'unknownStored'] +=
        1;
  }
}

type State = Pick<Model, 'row' | 'answers'> & { told: number };

/** A visit as it must be found; `told`: messages about its answers that were put in the queue. */
const stateOf = ({ row, answers }: Model): State => ({ row, answers, told: answers === null ? 0 : 1 });

async function readModels(db: Db): Promise<Map<string, State>> {
  const sessions = await db.selectFrom('active_sessions').selectAll().execute();
  const answers = new Map(
    (await db.selectFrom('checkbox_responses').selectAll().execute()).map((row) => [row.session_id, row]),
  );
  const messages = await db
    .selectFrom('notifications')
    .select('payload')
    .where('type', '=', 'checkbox_response')
    .execute();
  const told = Map.groupBy(
    messages,
    ({ payload }) => (JSON.parse(payload) as { token_value: string }).token_value,
  );
  return new Map(
    sessions.map(
      ({ id, attempt_id, token_value, step, phrase, second, exit_seq, is_active, completed_at }) => {
        const given = answers.get(id);
        const { risposta_1, risposta_2 } = given ?? {};
        return [
          attempt_id,
          {
            row: { step, phrase, second, exit_seq, is_active, completed: completed_at !== null },
            answers:
              given === undefined
                ? null
                : { risposta_1: risposta_1 === true, risposta_2: risposta_2 === true },
            told: told.get(token_value)?.length ?? 0,
          },
        ];
      },
    ),
  );
}
