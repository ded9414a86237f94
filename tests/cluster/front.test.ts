import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { buildCode, enter, ok, revokeCode, walkTo } from '../support/http-evening.ts';
import { PROXIES } from '../support/proxies.ts';
import { announce, cancel, filmOf, idOf, send } from '../support/uploads.ts';
import { openEventStream } from './hear.ts';
import { ACCOUNT, longFilm, type Nodes, startNodes } from './nodes.ts';
import { type Visitor, visitorIn } from './visitor.ts';

const MIB = 1024 ** 2;
/** Size of the watched film, in MiB. */
const FILM = 64;
/** Calls that are answered while the film isn't read. */
const MEANWHILE = 200;
/** Size of the uploaded film, in MiB. */
const UPLOAD = 120;
/** Replies of every kind to wait for between two events. */
const SOME = 20;
const BOTH = [0, 1] as const;

describe.each(PROXIES)('two nodes behind %s', (proxy) => {
  let nodes: Nodes<string>;
  let admin: string;
  beforeAll(async () => {
    nodes = await startNodes({ proxy, prepare: (before, evening) => longFilm(before, evening, FILM) });
    admin = await nodes.signIn();
  });
  afterAll(() => nodes?.stop());

  test('signs the administrator in, with cookies for https only', async () => {
    const { headers } = ok(await call(nodes.url, 'POST', '/auth/sign-in/email', ACCOUNT));
    const cookies = headers.getSetCookie();
    expect(cookies.length).toBeGreaterThan(0);
    for (const cookie of cookies) expect(cookie).toMatch(/^__Secure-.*; Secure/i);
    expect(headers.get('strict-transport-security')).not.toBeNull();
    expect((await call(nodes.url, 'GET', '/admin/me', undefined, { cookie: admin })).status).toBe(200);
  });

  test('serves the whole evening from both nodes: phrases, film, tickets, answers, both trips, the end', async () => {
    const cookie = await enter(nodes, nodes.evening);
    const { stages } = await walkTo(nodes, cookie, 'video');
    const { video_url } = stages.find(({ stage }: { stage: string }) => stage === 'video');
    const headers = { cookie, range: 'bytes=1000-1999' };
    const part = await fetch(`${nodes.url}${video_url}`, { headers });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 1_000]);
    for (const viaggio of [1, 2]) {
      await walkTo(nodes, cookie, 'card', viaggio);
      const pdf = await call(nodes.url, 'GET', `/visit/tickets/${viaggio}/biglietti.pdf`, undefined, {
        cookie,
      });
      expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-']);
    }
    await walkTo(nodes, cookie, 'closing', 2);
    ok(await call(nodes.url, 'POST', '/visit/complete', {}, { cookie }));
    expect((await call(nodes.url, 'GET', '/visit/events', undefined, { cookie })).status).not.toBe(200);
    for (const which of BOTH) expect(nodes.node(which).output()).toContain('"path":"/api/visit/');
  });

  test('begins an event stream at once and reports a revocation, which also cuts a running film, despite the proxy’s buffers', async () => {
    const token = await buildCode(nodes, { admin }, { max_accessi: 20 });
    const cookies = await Promise.all(Array.from({ length: 20 }, () => enter(nodes, { token })));
    const heard = await Promise.all(cookies.map((cookie) => openEventStream(nodes.url, cookie)));
    for (const each of heard) expect(await each.until('event: ping')).toBe(true);
    const [cookie = ''] = cookies;
    await walkTo(nodes, cookie, 'video');
    const film = await fetch(`${nodes.url}${nodes.prepared}`, { headers: { cookie } });
    // By now a proxy that buffers files would have all of it.
    for (let n = 0; n < MEANWHILE; n += 1)
      ok(await call(nodes.url, 'POST', '/visit/heartbeat', {}, { cookie }));
    await revokeCode(nodes, { admin }, token);
    for (const each of heard) expect(await each.until('disconnected')).toBe(true);
    for (const each of heard) each.close();
    await expect(film.arrayBuffer()).rejects.toThrow();
  });

  test('limits each client separately, and ignores a forged address', async () => {
    const tries = async (localAddress: string, forged?: (n: number) => string) => {
      const dispatcher = nodes.front.agent({ localAddress });
      let checked = 0;
      for (let n = 0; n < 8; n += 1)
        if ((await guess(nodes.url, dispatcher, forged?.(n))) === 401) checked += 1;
      return checked;
    };
    expect([await tries('127.0.0.7'), await tries('127.0.0.8')]).toEqual([5, 5]);
    expect(await tries('127.0.0.9', (n) => `203.0.113.${n}`)).toBe(5);
  });

  test(`passes an upload of ${UPLOAD} MiB to the node while it is sent`, async () => {
    const to = { url: nodes.url, cookie: admin };
    const id = idOf(await announce(to, UPLOAD * MIB, { slot: 'video', filename: 'film.mp4' }));
    const there = async () => (await stat(join(nodes.folder, 'uploads', id))).size;
    const film = await filmOf(MIB);
    let half = 0;
    const bytes = async function* () {
      yield film;
      for (let n = 1; n < UPLOAD; n += 1) {
        // The second half is only sent after most of the first has arrived.
        if (n === UPLOAD / 2) {
          await expect.poll(there, { timeout: 60_000 }).toBeGreaterThan((UPLOAD / 2 - 16) * MIB);
          half = n;
        }
        yield Buffer.alloc(MIB, n);
      }
    };
    const content = Readable.toWeb(Readable.from(bytes())) as ReadableStream<Uint8Array>;
    const answer = await send(to, id, 0, content);
    expect([answer.status, half]).toEqual([204, UPLOAD / 2]);
    expect(await there()).toBe(UPLOAD * MIB);
    expect((await cancel(to, id)).status).toBe(204);
  });

  /** Waits until the proxy sends visitors to the node. */
  const isAsked = (which: 0 | 1) =>
    expect
      .poll(() => nodes.node(which).output(), { timeout: 60_000 })
      .toMatch(/"path":"\/api\/(visit|media)\//);
  const endings = async ({ token }: Visitor) =>
    nodes.ask(
      `select event_type from event_logs where token_id = '${token.id}' and event_type in ('session_ended', 'forced_disconnect')`,
    );

  test('loses nothing for a visitor in the film while one node restarts after the other', async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    await visitor.waitForReplies(SOME);
    for (const which of BOTH) {
      await isAsked(which);
      expect(await nodes.node(which).end('SIGTERM')).toBe(0);
      await visitor.waitForReplies(SOME);
      await nodes.start(which);
      await isAsked(which);
    }
    await visitor.waitForReplies(SOME);
    const failed = await visitor.leave();
    expect(failed).toEqual([]);
    expect(visitor.answered.get('live 200')).toBeGreaterThan(0);
    expect(await endings(visitor)).toEqual([]);
  });

  test('continues at the other node for a visitor in the film when a node is killed', async () => {
    const visitor = await visitorIn(nodes, admin, FILM * MIB);
    await visitor.waitForReplies(SOME);
    await isAsked(0);
    await nodes.node(0).end('SIGKILL');
    await visitor.waitForReplies(5 * SOME);
    await nodes.start(0);
    await isAsked(0);
    await visitor.waitForReplies(SOME);
    const failed = await visitor.leave();
    // nginx retries every call at the other node. Caddy can't send a body twice: the page must repeat calls to the killed node.
    const forgiven = proxy === 'nginx' ? /^range/ : /^range|^(position|heartbeat) 502,/;
    expect(failed.filter((what) => !forgiven.test(what))).toEqual([]);
    expect(await endings(visitor)).toEqual([]);
  });
});

/** Signs in with a wrong password; five of a client are checked, further ones refused. */
async function guess(url: string, dispatcher: unknown, forged?: string): Promise<number> {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: {
      origin: url,
      'content-type': 'application/json',
      ...(forged && { 'x-forwarded-for': forged }),
    },
    body: JSON.stringify({ email: 'nessuno@example.org', password: 'una frase sbagliata' }),
    dispatcher,
  } as RequestInit);
  await response.text();
  return response.status;
}
