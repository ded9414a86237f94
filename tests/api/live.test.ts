import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Heard, listenAt } from '../support/event-source.ts';
import { call } from '../support/http.ts';
import {
  buildCode,
  type Evening,
  enter,
  ok,
  prepareEvening,
  revokeCode,
  walkTo,
} from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
/** The administrator is told once a second. */
const SOON = { timeout: 5_000 };

let server: TestServer;
let evening: Evening;
let ahead = 0;
beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  server = await startServer({ now: () => new Date(Date.now() + ahead), env });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type Message = { type: string; topics?: string[]; disconnection?: object };
/** What was said, each as its event, its number and its data. */
function said({ text }: Heard): { event: string; id: string; data: Message }[] {
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return text()
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      event: field(block, 'event'),
      id: field(block, 'id'),
      data: JSON.parse(field(block, 'data')),
    }));
}
const events = (heard: Heard) => said(heard).map(({ event }) => event);
const open = (cookie: string, headers: Record<string, string> = {}, { url } = server) =>
  listenAt(`${url}/api/visit/events`, cookie, undefined, headers);
const newCode = () => buildCode(server, evening, { max_accessi: 50 });
const complete = async (cookie: string) => {
  await walkTo(server, cookie, 'closing', 2);
  ok(await call(server.url, 'POST', '/visit/complete', {}, { cookie }));
};
const gone = { reason: 'token_revoked', contatto: '@anna' };

describe('a visitor’s live channel', () => {
  test('speaks at once, unbuffered and uncompressed, in no channel but her own', async () => {
    const stream = await open(await enter(server, evening), {
      'accept-encoding': 'gzip, br',
      'last-event-id': '9'.repeat(4_000),
      'x-session-id': 'other',
    });
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.response.headers['content-encoding']).toBeUndefined();
    expect(stream.text()).toMatch(/^retry: 3000\n\n/);
    expect(said(stream)).toEqual([{ event: 'ping', id: '1', data: { type: 'ping' } }]);
    stream.close();
  });

  test('tells the holders of a revoked code, with the contact, and ends; nobody else hears of it', async () => {
    const token = await newCode();
    const holders = await Promise.all([1, 2, 3].map(async () => open(await enter(server, { token }))));
    const other = await open(await enter(server, evening));
    await revokeCode(server, evening, token);
    for (const holder of holders) {
      await holder.ended;
      const told = said(holder).filter(({ event }) => event === 'disconnected');
      expect(told.map(({ data }) => data)).toEqual([{ type: 'disconnected', disconnection: gone }]);
    }
    await server.deps.live.publish({ type: 'resync' });
    expect([events(other), other.response.destroyed]).toEqual([['ping'], false]);
    other.close();
  });

  test('tells the holders of a deleted code why, and ends with the evening', async () => {
    const token = await newCode();
    const deleted = await open(await enter(server, { token }));
    const cookie = await enter(server, evening);
    const over = await open(cookie);
    await call(server.url, 'DELETE', `/admin/tokens/${token.id}`, undefined, { cookie: evening.admin });
    expect(await deleted.ended).toContain('"reason":"token_deleted"');
    await complete(cookie);
    await over.ended;
    expect(events(over).at(-1)).toBe('bye');
  });

  test('makes good what got lost by reading the sessions again', async () => {
    const cookie = await enter(server, evening);
    const [stream, untouched] = await Promise.all([open(cookie), open(await enter(server, evening))]);
    const { session_id } = (await call(server.url, 'POST', '/visit/resume', {}, { cookie })).body;
    await server.deps.db
      .updateTable('active_sessions')
      .set({ is_active: false, disconnection_reason: 'token_revoked' })
      .where('id', '=', session_id)
      .execute();
    await server.deps.live.publish({ type: 'resync' });
    await stream.ended;
    const told = said(stream).find(({ event }) => event === 'disconnected');
    expect(told?.data.disconnection).toEqual(gone);
    expect(untouched.response.destroyed).toBe(false);
    untouched.close();
  });

  test('is nobody’s without a visit; one whose visit is over is told not to come back', async () => {
    for (const cookie of ['', evening.admin]) await expect(open(cookie)).rejects.toThrow('answers 401');
    const token = await newCode();
    const [cut, ended] = [await enter(server, { token }), await enter(server, evening)];
    await revokeCode(server, evening, token);
    await complete(ended);
    for (const cookie of [cut, ended]) await expect(open(cookie)).rejects.toThrow('answers 204');
  });

  test('that is not read is not waited for: others hear at once', async () => {
    const token = await newCode();
    const { hostname, port } = new URL(server.url);
    const stall = (cookie: string): Promise<Socket> =>
      new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname, () => {
          socket.pause();
          socket.write(
            `GET /api/visit/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`,
          );
          resolve(socket);
        });
        socket.on('error', reject);
      });
    const stalled = await Promise.all([1, 2, 3, 4].map(async () => stall(await enter(server, { token }))));
    const reading = await open(await enter(server, { token }));
    await revokeCode(server, evening, token);
    expect(await reading.ended).toContain('event: disconnected');
    for (const socket of stalled) socket.destroy();
  });

  test('tells all to come back in one to five seconds when the server stops, and leaves their sessions open', async () => {
    const stopping = await startServer();
    const own = await prepareEvening(stopping);
    const streams = await Promise.all(
      Array.from({ length: 20 }, async () => open(await enter(stopping, own), {}, stopping)),
    );
    const sessions = stopping.deps.db
      .selectFrom('active_sessions')
      .select('id')
      .where('is_active', '=', true);
    expect(await sessions.execute()).toHaveLength(20);
    await Promise.all([stopping.stop(), ...streams.map(({ ended }) => ended)]);
    const waits = streams.map(({ text }) => Number(/^retry: (\d+)$/m.exec(text().slice(20))?.[1]));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(new Set(waits).size).toBeGreaterThan(5);
    for (const stream of streams) expect(events(stream).at(-1)).toBe('bye');
  });
});

describe('the administrator’s live channel', () => {
  const listen = (cookie: string) => listenAt(`${server.url}/api/admin/events`, cookie);
  const topics = (heard: Heard) => new Set(said(heard).flatMap(({ data }) => data.topics ?? []));
  const signIn = async (address: string) => {
    const body = { email: 'anna@example.org', password: 'una frase molto lunga 7' };
    const headers = { 'x-forwarded-for': address };
    return ok(await call(server.url, 'POST', '/auth/sign-in/email', body, { headers })).cookie;
  };

  test('is nobody else’s', async () => {
    for (const cookie of ['', await enter(server, evening)])
      await expect(listen(cookie)).rejects.toThrow('answers 401 application/json');
    const head = await call(server.url, 'HEAD', '/admin/events', undefined, { cookie: evening.admin });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
  });

  test('begins with a sign of life, says what changed, and that news may have been lost', async () => {
    const heard = await listen(evening.admin);
    expect(said(heard)[0]?.data).toEqual({ type: 'ping' });
    await newCode();
    await expect.poll(() => [...topics(heard)], SOON).toEqual(expect.arrayContaining(['tokens', 'logs']));
    await server.deps.live.publish({ type: 'resync' });
    await expect.poll(() => said(heard).map(({ data }) => data), SOON).toContainEqual({ type: 'resync' });
    heard.close();
  });

  test('ends at once for who signs out, and for nobody else', async () => {
    const [leaving, staying] = await Promise.all([signIn('10.1.0.1'), signIn('10.1.0.2')]);
    const [ended, other] = await Promise.all([listen(leaving), listen(staying)]);
    ok(await call(server.url, 'POST', '/auth/sign-out', {}, { cookie: leaving }));
    expect(await ended.ended).toContain('event: bye');
    await newCode();
    await expect.poll(() => topics(other).has('tokens'), SOON).toBe(true);
    other.close();
    await expect(listen(leaving)).rejects.toThrow('answers 401');
  });

  test('is a few at most, as a visitor’s: a sixth ends the first', async () => {
    const visitor = await enter(server, evening);
    for (const another of [() => listen(evening.admin), () => open(visitor)]) {
      const heard: Heard[] = [];
      for (let n = 0; n < 6; n += 1) heard.push(await another());
      expect(await heard[0]?.ended).toContain('event: bye');
      for (const later of heard.slice(1)) {
        expect(later.response.destroyed).toBe(false);
        later.close();
      }
    }
  });

  test('ends when the session is too old; being open is no activity', async () => {
    const heard = await listen(await signIn('10.1.0.3'));
    for (const hours of [23, 2]) {
      expect(heard.response.destroyed).toBe(false);
      ahead += hours * HOUR;
      await server.deps.live.publish({ type: 'signed_out' });
    }
    expect(await heard.ended).toContain('event: bye');
  });
});
