import { createHash, randomUUID } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCommandDatabase } from '../../src/server/db/open.ts';
import type { Db } from '../../src/server/db/tables.ts';
import { spawnBundled } from '../support/bundled.ts';
import { type Client, createClient, NoReply, type Reply } from '../support/client.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { call } from '../support/http.ts';
import { enter, store, walkTo } from '../support/http-evening.ts';
import { checkInvariants } from '../support/invariants.ts';
import { type Code, makeCodes, prepare } from '../support/prepared.ts';
import { createRandom, type Random, SOAK_MS } from '../support/random.ts';
import { newFolder, type SpawnedServer, startServer } from '../support/server.ts';
import { announce, finish, idOf, offsetOf, send, ticketsOf } from '../support/uploads.ts';
import { type Model, nextWrite, type Write } from '../support/writes.ts';

/** The server is killed or restarted repeatedly, while visitors write, one watches the film and files are uploaded. */

const MB = 1024 ** 2;
const FILM = Buffer.alloc(24 * MB, 7);
const WRITERS = 8;
/** Latest end of a round: up to this many replies, and up to this many ms after the last one. */
const LATEST = { answers: 60, ms: 12 };
const SETTINGS = { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' };

let folder: string;
let film: string;
let admin: string;
let server: SpawnedServer;
let database: NonNullable<Awaited<ReturnType<typeof openCommandDatabase>>>;
const client = createClient(WRITERS);
const start = async () => {
  server = await spawnBundled({ dataDir: folder, env: SETTINGS });
};
beforeAll(async () => {
  folder = await newFolder();
  // Makes each megabyte different.
  for (let at = 0; at < FILM.length; at += MB) FILM.writeUInt32BE(at, at);
  const before = await startServer({ dataDir: folder });
  film = (await store(before, 'lungo.mp4', Readable.from([FILM]))).url;
  admin = await prepare(before.url, { ...NO_SECOND_TRIP, video_url: film });
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

const counts = { acknowledged: 0, refused: 0, unknownStored: 0, unknownAbsent: 0 };

test('loses nothing acknowledged when killed or restarted during writes, films and uploads', {
  timeout: 180_000 + SOAK_MS,
}, async () => {
  const random = createRandom('soak');
  const codes: Code[] = await makeCodes(server.url, admin, 100);
  const writers = Array.from({ length: WRITERS }, (_, name) => newWriter(name, codes));
  const [watching, uploading] = [await watcher(codes.pop() as Code), uploader(await ticketsOf(6 * MB))];
  const ended = { SIGKILL: 0, SIGTERM: 0 };
  const end = Date.now() + SOAK_MS;
  while (Date.now() < end) {
    if (codes.length < 100) codes.push(...(await makeCodes(server.url, admin, 100)));
    const signal = random.pick(['SIGKILL', 'SIGTERM'] as const);
    const round = `end ${(ended[signal] += 1)} by ${signal}`;
    const { url } = server;
    const moment = countdown(random.int(LATEST.answers));
    const others = [watching.goOn(4), uploading.goOn(5)];
    const working = writers.map((writer) => work(client, url, writer, codes, random, moment.tick));
    await Promise.race([moment.reached, Promise.all(working)]);
    await delay(random.int(LATEST.ms));
    expect(await server.end(signal), round).toBe(signal === 'SIGTERM' ? 0 : null);
    expect(server.output(), round).not.toMatch(/"level":(50|60)/);
    await Promise.all([...working, ...others]);
    await start();
    await check(database.db, writers, round);
    for (const writer of writers) await resolveUnknown(client, server.url, writer, codes);
    await check(database.db, writers, `${round}, after the retries`);
  }
  const seen = { films: await watching.toTheEnd(), uploads: await uploading.toTheEnd() };
  console.log('after', ended, ':', { ...counts, ...seen });
  expect(counts.acknowledged).toBeGreaterThan(ended.SIGKILL + ended.SIGTERM);
  expect(counts.refused).toBeGreaterThan(0);
  await expectWholeFiles();
});

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** Expects that every file matches its row. */
async function expectWholeFiles(): Promise<void> {
  for (const { id, extension, size, sha256: hash } of await database.db
    .selectFrom('media')
    .selectAll()
    .execute()) {
    const bytes = await readFile(join(folder, 'media', `${id}.${extension}`));
    expect([bytes.length, sha256(bytes)]).toEqual([size, hash]);
  }
}

/** A visitor who watches the film slowly: resumes after the last byte when cut, and starts again after the end. */
async function watcher(token: Code) {
  const cookie = await enter(server, { token });
  await walkTo(server, cookie, 'video');
  let pieces: Buffer[] = [];
  let whole = 0;
  const goOn = async (delayMs: number) => {
    await call(server.url, 'POST', '/visit/heartbeat', {}, { cookie }).catch(() => null);
    const got = Buffer.concat(pieces).length;
    const headers = { cookie, range: `bytes=${got}-` };
    const response = await new Promise<IncomingMessage | null>((resolve) => {
      get(`${server.url}${film}`, { headers, agent: false }, resolve).on('error', () => resolve(null));
    });
    if (response === null) return;
    expect(response.statusCode).toBe(206);
    try {
      for await (const chunk of response) {
        pieces.push(chunk as Buffer);
        if (delayMs > 0) await delay(delayMs);
      }
    } catch {
      // The rest is requested the next time.
    }
    const bytes = Buffer.concat(pieces);
    if (bytes.length < FILM.length) return;
    expect(bytes.equals(FILM)).toBe(true);
    [pieces, whole] = [[], whole + 1];
  };
  const toTheEnd = async () => {
    for (const before = whole; whole === before; ) await goOn(0);
    return whole;
  };
  return { goOn, toTheEnd };
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
    const stored = await answered(
      fetch(`${to.url}${end.body.item.url}`, { headers: { cookie: admin } }).then((file) =>
        file.arrayBuffer(),
      ),
    );
    if (stored !== undefined) expect(sha256(Buffer.from(stored))).toBe(sha256(bytes));
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

function newWriter(name: number, codes: Code[]): Writer {
  return { name, model: newModel(name, codes), cookie: '', unknown: null, done: [] };
}

function newModel(name: number, codes: Code[]): Model {
  const code = codes.pop();
  if (code === undefined) throw new Error('No code is left');
  return { code, attempt_id: randomUUID(), device_id: `device-${name}`, row: null, answers: null };
}

/** Resolves `reached` once `tick` was called `times` times. */
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

/** Sends writes until one gets no reply. */
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
    const reply = await post(client, url, writer, write);
    if (reply === null) {
      writer.unknown = write;
      return;
    }
    acknowledge(writer, write, reply, codes);
    counts[reply.status < 300 ? 'acknowledged' : 'refused'] += 1;
    answered();
  }
}

/** Repeats the request that got no reply; it must now get the same reply. */
async function resolveUnknown(client: Client, url: string, writer: Writer, codes: Code[]): Promise<void> {
  const { unknown } = writer;
  if (unknown === null) return;
  const reply = await post(client, url, writer, unknown);
  if (reply === null) throw new Error('The restarted server does not answer');
  writer.unknown = null;
  acknowledge(writer, unknown, reply, codes);
}

async function post(
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

/** Expects an intact file, valid invariants, and every visit stored as acknowledged, except for pending requests. */
async function check(db: Db, writers: readonly Writer[], when: string): Promise<void> {
  const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
  expect(rows, when).toEqual([{ integrity_check: 'ok' }]);
  expect(await checkInvariants(db, new Date()), when).toEqual([]);
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

/** Returns the expected state of a visit. `told`: number of queued messages about its answers. */
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
        const answer = answers.get(id);
        const { risposta_1, risposta_2 } = answer ?? {};
        return [
          attempt_id,
          {
            row: { step, phrase, second, exit_seq, is_active, completed: completed_at !== null },
            answers:
              answer === undefined
                ? null
                : { risposta_1: risposta_1 === true, risposta_2: risposta_2 === true },
            told: told.get(token_value)?.length ?? 0,
          },
        ];
      },
    ),
  );
}
