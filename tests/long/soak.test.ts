import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommandDatabase } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { spawnBundled } from '../support/bundled.ts';
import { createClient, NoReply, type Reply } from '../support/client.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { createRandom, SOAK_MS } from '../support/random.ts';
import { newFolder, type SpawnedServer, startServer } from '../support/server.ts';
import { announce, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';
import { type Model, nextWrite, type Write } from '../support/writes.ts';

/** The server is killed or restarted repeatedly, while visitors write and files are uploaded. */

const MB = 1024 ** 2;
const WRITERS = 8;
/** Latest end of a round: up to this many replies, and up to this many ms after the last one. */
const [MOST_ANSWERS, MOST_MS] = [60, 12];
const SETTINGS = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };

let folder: string;
let admin: string;
let server: SpawnedServer;
let database: NonNullable<Awaited<ReturnType<typeof openCommandDatabase>>>;
const client = createClient(WRITERS);
const start = async () => {
  server = await spawnBundled({ dataDir: folder, env: SETTINGS });
};
beforeAll(async () => {
  folder = await newFolder();
  const before = await startServer({ dataDir: folder });
  admin = await prepare(before.url, NO_SECOND_TRIP);
  await before.stop();
  await start();
  database =
    (await openCommandDatabase({ DATA_DIR: folder, DATABASE_URL: undefined })) ?? expect.unreachable();
});
afterAll(async () => {
  client.close();
  await database.close();
  await server.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

/** A series of visitors, one request at a time. The stored data is known exactly, except for the pending request. */
type Writer = {
  name: number;
  model: Model;
  cookie: string;
  unknown: Write | null;
  /** Completed visits. */
  done: Model[];
};

const random = createRandom('soak');
const codes: Code[] = [];
const counts = { acknowledged: 0, refused: 0 };

test('loses nothing acknowledged when killed or restarted during writes and uploads', {
  timeout: 180_000 + SOAK_MS,
}, async () => {
  codes.push(...(await makeCodes(server.url, admin, 100)));
  const writers = Array.from({ length: WRITERS }, (_, name): Writer => {
    return { name, model: newModel(name), cookie: '', unknown: null, done: [] };
  });
  const tickets = await ticketsOf(6 * MB);
  const uploading = uploader(tickets);
  const ended = { SIGKILL: 0, SIGTERM: 0 };
  const end = Date.now() + SOAK_MS;
  while (Date.now() < end) {
    if (codes.length < 100) codes.push(...(await makeCodes(server.url, admin, 100)));
    const signal = random.pick(['SIGKILL', 'SIGTERM'] as const);
    const round = `end ${(ended[signal] += 1)} by ${signal}`;
    const moment = countdown(1 + random.int(MOST_ANSWERS));
    const uploads = uploading.goOn(5);
    const working = writers.map((writer) => work(writer, moment.tick));
    await Promise.race([moment.reached, Promise.all(working)]);
    await delay(random.int(MOST_MS));
    expect(await server.end(signal), round).toBe(signal === 'SIGTERM' ? 0 : null);
    expect(server.output(), round).not.toMatch(/"level":(50|60)/);
    await Promise.all([...working, uploads]);
    await start();
    await check(database.db, writers, round);
    for (const writer of writers) await resolveUnknown(writer);
    await check(database.db, writers, `${round}, after the retries`);
  }
  console.log('after', ended, ':', { ...counts, uploads: await uploading.toTheEnd() });
  expect(counts.acknowledged).toBeGreaterThan(ended.SIGKILL + ended.SIGTERM);
  expect(counts.refused).toBeGreaterThan(0);
  await expectWholeFiles(tickets);
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Expects that every file matches its row, and the tickets what was sent. */
async function expectWholeFiles(tickets: Buffer): Promise<void> {
  const rows = await database.db.selectFrom('media').selectAll().execute();
  for (const { id, extension, size, sha256: hash } of rows) {
    const bytes = await readFile(join(folder, 'media', `${id}.${extension}`));
    expect([bytes.length, sha256(bytes)]).toEqual([size, hash]);
    if (extension === 'pdf') expect(hash).toBe(sha256(tickets));
  }
}

/** The administrator, who uploads one file after the other and resumes at the stored offset when cut. */
function uploader(bytes: Buffer) {
  let id: string | null = null;
  let kept = 0;
  const goOn = async (delayMs: number) => {
    const to = { url: server.url, cookie: admin };
    const answered = <T>(request: Promise<T>) => request.catch(() => undefined);
    id ??=
      (await answered(announce(to, bytes.length, { slot: 'biglietti', filename: 'volo.pdf' }).then(idOf))) ??
      null;
    const offset = id === null ? undefined : await answered(offsetOf(to, id));
    if (id === null || offset === undefined) return;
    if (offset !== null && offset < bytes.length) {
      const headers = { 'content-length': String(bytes.length - offset) };
      const sent = await answered(
        send(to, id, offset, streamSlowly(bytes.subarray(offset), delayMs), { headers }),
      );
      if (sent === undefined) return;
    }
    const end = await answered(finish(to, id));
    if (end === undefined) return;
    expect(end.body, end.text).toMatchObject({ state: 'done' });
    [id, kept] = [null, kept + 1];
  };
  const toTheEnd = async () => {
    for (const before = kept; kept === before; ) await goOn(0);
    return kept;
  };
  return { goOn, toTheEnd };
}

/** Streams bytes as over a slow network. */
function streamSlowly(bytes: Buffer, delayMs: number): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      if (at >= bytes.length) return controller.close();
      const piece = bytes.subarray(at, at + 64 * 1024);
      at += piece.length;
      if (delayMs > 0) await delay(delayMs);
      controller.enqueue(new Uint8Array(piece));
    },
  });
}

function newModel(name: number): Model {
  const code = codes.pop() ?? expect.unreachable('No code is left');
  return { code, attempt_id: randomUUID(), device_id: `device-${name}`, row: null, answers: null };
}

/** Resolves `reached` once `tick` was called `times` times. */
function countdown(times: number): { tick(): void; reached: Promise<void> } {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  let left = times;
  const tick = () => {
    left -= 1;
    if (left === 0) resolve();
  };
  return { tick, reached };
}

/** Sends writes until one gets no reply. */
async function work(writer: Writer, answered: () => void): Promise<void> {
  while (writer.unknown === null) {
    const write = nextWrite(writer.model, random);
    const reply = await post(writer, write);
    if (reply === null) {
      writer.unknown = write;
      return;
    }
    acknowledge(writer, write, reply);
    counts[reply.status < 300 ? 'acknowledged' : 'refused'] += 1;
    answered();
  }
}

/** Repeats the request that got no reply; it must now get the same reply. */
async function resolveUnknown(writer: Writer): Promise<void> {
  const { unknown } = writer;
  if (unknown === null) return;
  const reply = (await post(writer, unknown)) ?? expect.unreachable('The restarted server does not answer');
  writer.unknown = null;
  acknowledge(writer, unknown, reply);
}

async function post({ name, cookie }: Writer, { path, body }: Write): Promise<Reply | null> {
  const sending = { from: `10.0.0.${name + 1}`, ...(path === '/access' ? {} : { cookie }) };
  return client.post(server.url, path, body, sending).catch((error: unknown) => {
    if (error instanceof NoReply) return null;
    throw error;
  });
}

function acknowledge(writer: Writer, write: Write, reply: Reply): void {
  if (write.answered !== reply.status)
    throw new Error(`${write.path} ${JSON.stringify(write.body)}: ${reply.status} ${reply.text}`);
  writer.model = write.after;
  if (write.path === '/access') writer.cookie = reply.cookie;
  if (!writer.model.row?.completed) return;
  writer.done.push(writer.model);
  writer.model = newModel(writer.name);
}

/** Expects an intact file, valid invariants, and every visit stored as acknowledged, except for pending requests. */
async function check(db: Db, writers: readonly Writer[], when: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  expect(rows, when).toEqual([{ integrity_check: 'ok' }]);
  expect(await checkInvariants(db, new Date()), when).toEqual([]);
  const stored = await readModels(db);
  for (const { model, unknown, done } of writers) {
    for (const over of done) expect(stored.get(over.attempt_id), when).toEqual(stateOf(over));
    const found = stored.get(model.attempt_id) ?? stateOf({ ...model, row: null });
    const possible = [stateOf(model), ...(unknown === null ? [] : [stateOf(unknown.after)])];
    expect(possible, `${when}: ${unknown?.path}`).toContainEqual(found);
  }
}

type State = Pick<Model, 'row' | 'answers'> & { told: number };

/** Returns the expected state of a visit. `told`: number of queued messages about its answers. */
const stateOf = ({ row, answers }: Model): State => ({ row, answers, told: answers === null ? 0 : 1 });

async function readModels(db: Db): Promise<Map<string, State>> {
  const sessions = await db.selectFrom('active_sessions').selectAll().execute();
  const answers = await db.selectFrom('checkbox_responses').selectAll().execute();
  const messages = db.selectFrom('notifications').select('payload').where('type', '=', 'checkbox_response');
  const told = (await messages.execute()).map(
    ({ payload }) => (JSON.parse(payload) as { token_value: string }).token_value,
  );
  return new Map(
    sessions.map(({ id, attempt_id, token_value, ...session }) => {
      const { step, phrase, second, exit_seq, is_active, completed_at } = session;
      const answer = answers.find(({ session_id }) => session_id === id);
      return [
        attempt_id,
        {
          row: { step, phrase, second, exit_seq, is_active, completed: completed_at !== null },
          answers: answer ? { risposta_1: answer.risposta_1, risposta_2: answer.risposta_2 } : null,
          told: told.filter((value) => value === token_value).length,
        } as State,
      ];
    }),
  );
}
