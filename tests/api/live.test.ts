import { get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { buildCode, enter, prepareEvening, revokeCode, walkTo } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';
import { useEvening } from '../support/suites.ts';

const { server, evening } = useEvening();

type Event = {
  event: string;
  id: string;
  data: { type: string; disconnection?: { reason: string; contatto: string } };
};
type Stream = {
  response: IncomingMessage;
  /** All that came so far. */
  text(): string;
  events(): Event[];
  ended: Promise<void>;
  close(): void;
};

function open(cookie: string, url = server.url, headers: Record<string, string> = {}): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const asked = get(
      `${url}/api/visit/events`,
      { headers: { cookie, ...headers }, agent: false },
      (response) => {
        let text = '';
        const ended = new Promise<void>((end) => response.on('close', end));
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('error', () => undefined);
        resolve({
          response,
          text: () => text,
          events: () => parsed(text),
          ended,
          close: () => response.destroy(),
        });
      },
    );
    asked.on('error', reject);
  });
}

function parsed(text: string): Event[] {
  const field = (block: string, name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1] ?? '';
  return text
    .split('\n\n')
    .filter((block) => block.includes('data: '))
    .map((block) => ({
      event: field(block, 'event'),
      id: field(block, 'id'),
      data: JSON.parse(field(block, 'data')),
    }));
}

const newToken = () => buildCode(server, evening, { max_accessi: 50 });

describe('a live channel', () => {
  test('speaks at once, unbuffered and uncompressed', async () => {
    const asked = performance.now();
    const stream = await open(await enter(server, evening), server.url, { 'accept-encoding': 'gzip, br' });
    await expect.poll(() => stream.events().length).toBe(1);
    // What is said again and again comes for the first time after 15 s.
    expect(performance.now() - asked).toBeLessThan(15_000);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    expect(stream.response.headers['content-encoding']).toBeUndefined();
    expect(stream.text()).toMatch(/^retry: 3000\n\n/);
    expect(stream.events()).toEqual([{ event: 'ping', id: '1', data: { type: 'ping' } }]);
    stream.close();
  });

  test('tells the holders of a revoked code, with the contact, and ends; nobody else hears of it', async () => {
    const token = await newToken();
    const holders = await Promise.all([1, 2, 3].map(async () => open(await enter(server, { token }))));
    const other = await open(await enter(server, evening));
    await revokeCode(server, evening, token);
    await Promise.all(holders.map(({ ended }) => ended));
    for (const holder of holders) {
      const told = holder.events().filter(({ event }) => event === 'disconnected');
      expect(told.map(({ data }) => data)).toEqual([
        { type: 'disconnected', disconnection: { reason: 'token_revoked', contatto: '@anna' } },
      ]);
    }
    expect(other.events().map(({ event }) => event)).toEqual(['ping']);
    expect(other.response.destroyed).toBe(false);
    other.close();
  });

  test('tells the holders of a deleted code why', async () => {
    const token = await newToken();
    const stream = await open(await enter(server, { token }));
    await call(server.url, 'DELETE', `/admin/tokens/${token.id}`, undefined, { cookie: evening.admin });
    await stream.ended;
    expect(stream.events().find(({ event }) => event === 'disconnected')?.data.disconnection?.reason).toBe(
      'token_deleted',
    );
  });

  test('ends when the evening is over', async () => {
    const cookie = await enter(server, evening);
    await walkTo(server, cookie, 'closing', 2);
    const stream = await open(cookie);
    await call(server.url, 'POST', '/visit/complete', {}, { cookie });
    await stream.ended;
    expect(stream.events().at(-1)?.event).toBe('bye');
  });

  test('a message that got lost is made good by reading the sessions again', async () => {
    const cookie = await enter(server, evening);
    const stream = await open(cookie);
    const untouched = await open(await enter(server, evening));
    const { session_id } = (await call(server.url, 'POST', '/visit/resume', {}, { cookie })).body;
    await server.deps.db
      .updateTable('active_sessions')
      .set({ is_active: false, disconnection_reason: 'token_revoked' })
      .where('id', '=', session_id)
      .execute();
    await server.deps.live.publish({ type: 'resync' });
    await stream.ended;
    expect(stream.events().find(({ event }) => event === 'disconnected')?.data.disconnection).toEqual({
      reason: 'token_revoked',
      contatto: '@anna',
    });
    expect(untouched.response.destroyed).toBe(false);
    untouched.close();
  });
});

describe('who may open one', () => {
  test('nobody without a visit; a visit that is over is told not to come back', async () => {
    const nobody = await open('');
    expect(nobody.response.statusCode).toBe(401);
    const admin = await open(evening.admin);
    expect(admin.response.statusCode).toBe(401);
    const token = await newToken();
    const cookie = await enter(server, { token });
    await revokeCode(server, evening, token);
    expect((await open(cookie)).response.statusCode).toBe(204);
    const ended = await enter(server, evening);
    await walkTo(server, ended, 'closing', 2);
    await call(server.url, 'POST', '/visit/complete', {}, { cookie: ended });
    expect((await open(ended)).response.statusCode).toBe(204);
  });

  test('nothing in the request chooses another channel, however forged', async () => {
    const token = await newToken();
    const mine = await enter(server, evening);
    const stream = await open(mine, server.url, {
      'last-event-id': '9'.repeat(4_000),
      'x-session-id': 'other',
    });
    expect(stream.response.statusCode).toBe(200);
    await enter(server, { token });
    await revokeCode(server, evening, token);
    await server.deps.live.publish({ type: 'resync' });
    expect(stream.events().map(({ event }) => event)).toEqual(['ping']);
    stream.close();
  });

  test('a sixth stream of a session ends its oldest', async () => {
    const cookie = await enter(server, evening);
    const streams = [];
    for (let i = 0; i < 6; i += 1) streams.push(await open(cookie));
    const [oldest, ...others] = streams;
    await oldest?.ended;
    expect(oldest?.events().at(-1)?.event).toBe('bye');
    expect(others.every(({ response }) => !response.destroyed)).toBe(true);
    for (const { close } of others) close();
  });
});

describe('a client that does not read', () => {
  /** Opens a channel over a bare socket and stops reading. */
  function openAndStall(cookie: string): Promise<Socket> {
    const { hostname, port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        socket.pause();
        socket.write(
          `GET /api/visit/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n\r\n`,
        );
        resolve(socket);
      });
      socket.on('error', reject);
    });
  }

  test('is not waited for: others hear at once', async () => {
    const token = await newToken();
    const stalled = await Promise.all(
      [1, 2, 3, 4].map(async () => openAndStall(await enter(server, { token }))),
    );
    const reading = await open(await enter(server, { token }));
    await expect.poll(() => reading.events().length).toBe(1);
    await revokeCode(server, evening, token);
    await reading.ended;
    expect(reading.events().some(({ event }) => event === 'disconnected')).toBe(true);
    for (const socket of stalled) socket.destroy();
  });
});

describe('a server that stops', () => {
  test('tells its streams to come back in one to five seconds and leaves their sessions open', async () => {
    const stopping = await startServer();
    const own = await prepareEvening(stopping);
    const streams = await Promise.all(
      Array.from({ length: 20 }, async () => open(await enter(stopping, own), stopping.url)),
    );
    await expect.poll(() => streams.every((stream) => stream.events().length === 1)).toBe(true);
    const sessions = () =>
      stopping.deps.db.selectFrom('active_sessions').select('id').where('is_active', '=', true).execute();
    expect(await sessions()).toHaveLength(20);
    const stopped = stopping.stop();
    await Promise.all(streams.map(({ ended }) => ended));
    await stopped;
    const waits = streams.map((stream) => Number(/^retry: (\d+)$/m.exec(stream.text().slice(20))?.[1]));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(5_000);
    expect(new Set(waits).size).toBeGreaterThan(5);
    expect(streams.every((stream) => stream.events().at(-1)?.event === 'bye')).toBe(true);
  });
});
