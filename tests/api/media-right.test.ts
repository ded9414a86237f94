import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventRows, insertEvents } from '../support/csv.ts';
import { call } from '../support/http.ts';
import { type Evening, ok, prepareEvening, store } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

const MB = 1024 * 1024;
const BIG = 60;
const SOON = { timeout: 10_000 };

let server: TestServer;
let evening: Evening;
let film: string;
beforeEach(async () => {
  server = await startServer();
  const video = await big('lungo.mp4');
  const tickets = await big('lungo.pdf');
  film = video.url;
  evening = await prepareEvening(server, { video_url: video.url, biglietti_url: tickets.url });
});
afterEach(() => server.stop());

/** More than all the buffers between a server and a client who doesn't read. */
const big = (nome: string) =>
  store(server, nome, Readable.from(Array.from({ length: BIG }, () => Buffer.alloc(MB, 7))));

/** A CSV as large as that. */
const longEvents = () =>
  eventRows(20_000, 1_000).map((row) => ({ ...row, device_id: 'x'.repeat((BIG * MB) / 20_000) }));

/** Asks for a file and reads nothing of it yet. */
async function open(path: string, cookie: string): Promise<IncomingMessage> {
  const [response] = await once(
    get(`${server.url}${path}`, { headers: { cookie }, agent: false }),
    'response',
  );
  expect(response.statusCode).toBe(200);
  return response as IncomingMessage;
}

/** What came of it until its end: all of it, or a part. */
async function drain(response: IncomingMessage): Promise<'whole' | 'cut'> {
  try {
    for await (const chunk of response) void chunk;
  } catch {
    return 'cut';
  }
  return response.complete ? 'whole' : 'cut';
}

/** The server has cut so many answers short. */
const cuts = (path: string) =>
  server.logged().match(new RegExp(`"path":"${path}[^}]*"cut":true`, 'g'))?.length ?? 0;

const post = (path: string, body: unknown = {}) =>
  call(server.url, 'POST', path, body, { cookie: evening.admin });

/** A phone that came in with the rehearsal's pass. */
async function guest(): Promise<string> {
  const { pass } = ok(await post('/admin/rehearsal/pass')).body;
  return ok(await call(server.url, 'POST', '/rehearsal/enter', { pass })).cookie;
}

/** An upload that has begun and waits for its second half. */
async function beginUpload(): Promise<ClientRequest> {
  const to = { url: server.url, cookie: evening.admin };
  const id = idOf(await announce(to, 1_000, { slot: 'video', filename: 'film.mp4' }));
  const sent = request(`${server.url}/api/admin/uploads/${id}`, {
    method: 'PATCH',
    agent: false,
    headers: {
      origin: server.url,
      cookie: evening.admin,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': '1000',
    },
  });
  sent.write('half');
  await expect.poll(() => arrived(server, id), SOON).toBe(4);
  return sent;
}

describe('what is being sent to the administrator, or by', () => {
  const endings: [string, () => Promise<unknown>][] = [
    ['signing out', async () => ok(await post('/auth/sign-out'))],
    [
      'a session that is ended elsewhere, as by the command for a forgotten password',
      () => server.deps.inTransaction((tx) => sql`delete from session`.execute(tx)),
    ],
  ];
  test.each(endings)(
    'is cut by %s',
    async (_name, end) => {
      await insertEvents(server.deps, longEvents());
      const files = [film, '/api/rehearsal/tickets/1/biglietti.pdf', '/api/admin/logs.csv'];
      const opened = await Promise.all(files.map((path) => open(path, evening.admin)));
      const upload = await beginUpload();
      const cut = once(upload, 'error');
      await end();
      await cut;
      await expect.poll(() => files.map((path) => cuts(path)), SOON).toEqual([1, 1, 1]);
      expect(await Promise.all(opened.map(drain))).toEqual(['cut', 'cut', 'cut']);
      expect(server.logged()).not.toMatch(/"level":(50|60)/);
    },
    60_000,
  );
});

describe('what is being sent to a guest of the rehearsal', () => {
  const endings: [string, () => Promise<unknown>][] = [
    [
      'the pass that is closed',
      () => call(server.url, 'DELETE', '/admin/rehearsal/pass', undefined, { cookie: evening.admin }),
    ],
    ['the pass that is made anew', () => post('/admin/rehearsal/pass', { anew: true })],
  ];
  test.each(endings)(
    'is cut by %s, and nothing else is',
    async (_name, end) => {
      const cookie = await guest();
      const files = [film, '/api/rehearsal/tickets/1/biglietti.pdf'];
      const opened = await Promise.all(files.map((path) => open(path, cookie)));
      const kept = await open(film, evening.admin);
      await end();
      await expect.poll(() => files.map((path) => cuts(path)), SOON).toEqual([1, 1]);
      expect(await Promise.all(opened.map(drain))).toEqual(['cut', 'cut']);
      expect(await drain(kept)).toBe('whole');
    },
    60_000,
  );
});
