import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { get, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventRows, insertEvents } from '../support/csv.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  store,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

/** A file under way is cut when the right to it ends, and no other is. */

const MB = 1024 * 1024;
/** More than all the buffers between a server and a client who doesn't read. */
const BIG = 40;
const TICKETS = '/api/rehearsal/tickets/1/biglietti.pdf';

let server: TestServer;
let evening: Evening;
let film: string;
beforeAll(async () => {
  server = await startServer();
  const big = (nome: string) =>
    store(server, nome, Readable.from(Array.from({ length: BIG }, () => Buffer.alloc(MB, 7))));
  const [video, tickets] = [await big('lungo.mp4'), await big('lungo.pdf')];
  film = video.url;
  evening = await prepareEvening(server, { video_url: film, biglietti_url: tickets.url });
});
afterAll(() => server.stop());

/** Asks for a file and reads nothing of it yet. */
async function open(path: string, cookie: string): Promise<IncomingMessage> {
  const asked = get(`${server.url}${path}`, { headers: { cookie }, agent: false });
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  return response;
}

/** What came of it until its end. */
async function drain(response: IncomingMessage): Promise<'whole' | 'cut'> {
  try {
    for await (const chunk of response) void chunk;
  } catch {
    return 'cut';
  }
  return response.complete ? 'whole' : 'cut';
}

/** Opens files, does what ends the right to them, and expects that the server cuts all of them. */
async function expectCut(
  files: readonly string[],
  cookie: string,
  end: () => Promise<unknown>,
): Promise<void> {
  const cuts = () => server.logged().match(/"path":"\/api\/(?!admin\/uploads)[^}]*"cut":true/g)?.length ?? 0;
  const before = cuts();
  const opened = await Promise.all(files.map((path) => open(path, cookie)));
  await end();
  await expect.poll(cuts).toBe(before + files.length);
  expect(await Promise.all(opened.map(drain))).toEqual(files.map(() => 'cut'));
}

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });

/** How often this process has the film open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).endsWith(film.split('/').at(-1) ?? '');
    } catch {
      return false;
    }
  }).length;

test('of a visit: when its code is revoked or deleted, and when the evening is over', async () => {
  const visitor = async (token = evening.token) => {
    const cookie = await enter(server, { token });
    await walkTo(server, cookie, 'video');
    return cookie;
  };
  const kept = await open(film, await visitor());
  const [revoked, deleted] = [await buildCode(server, evening), await buildCode(server, evening)];
  await expectCut([film], await visitor(revoked), () => revokeCode(server, evening, revoked));
  await expectCut([film], await visitor(deleted), () => asAdmin('DELETE', `/admin/tokens/${deleted.id}`));
  const cookie = await visitor();
  await walkTo(server, cookie, 'closing', 2);
  await expectCut([film], cookie, async () => {
    const completed = ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
    expect(completed.headers.get('clear-site-data')).toBe('"cache"');
  });
  // One open file for all of them, a moment longer than its last reader.
  expect(openFiles()).toBe(1);
  expect(await drain(kept)).toBe('whole');
  await expect.poll(openFiles).toBe(0);
});

test('of a guest of the rehearsal: when the pass is closed, or made anew', async () => {
  for (const end of [
    () => asAdmin('DELETE', '/admin/rehearsal/pass'),
    () => asAdmin('POST', '/admin/rehearsal/pass', { anew: true }),
  ]) {
    const { pass } = ok(await asAdmin('POST', '/admin/rehearsal/pass', {})).body;
    const { cookie } = ok(await call(server.url, 'POST', '/rehearsal/enter', { pass }));
    const kept = await open(film, evening.admin);
    await expectCut([film, TICKETS], cookie, end);
    expect(await drain(kept)).toBe('whole');
  }
});

test('of the administrator, an upload included: when she signs out, or her session is ended elsewhere', async () => {
  const rows = eventRows(20_000, 1_000);
  await insertEvents(
    server.deps,
    rows.map((row) => ({ ...row, device_id: 'x'.repeat((BIG * MB) / rows.length) })),
  );
  for (const end of [
    () => asAdmin('POST', '/auth/sign-out', {}),
    () => server.deps.inTransaction((tx) => sql`delete from session`.execute(tx)),
  ]) {
    const id = idOf(
      await announce({ url: server.url, cookie: evening.admin }, 1_000, {
        slot: 'video',
        filename: 'film.mp4',
      }),
    );
    const upload = request(`${server.url}/api/admin/uploads/${id}`, {
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
    upload.write('half');
    await expect.poll(() => arrived(server, id)).toBe(4);
    const cut = once(upload, 'error');
    await expectCut([film, TICKETS, '/api/admin/logs.csv'], evening.admin, async () => {
      await end();
      await cut;
    });
    const account = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    evening.admin = ok(await call(server.url, 'POST', '/auth/sign-in/email', account)).cookie;
  }
  expect(server.logged()).not.toMatch(/"level":(50|60)/);
});
