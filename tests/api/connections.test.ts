import { EventEmitter, once } from 'node:events';
import {
  type ClientRequest,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { trustedProxies } from '../../src/server/http/address.ts';
import {
  limitConnections,
  limitPerAddress,
  MAX_PER_ADDRESS,
} from '../../src/server/http/connection-limit.ts';
import { createNodeServer, listen } from '../../src/server/http/server.ts';
import { createTransfers, type Transfers } from '../../src/server/live/transfers.ts';
import { useSignedUp } from '../support/suites.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

let lastPort = 40_000;
type FakeSocket = ReturnType<typeof fakeSocket>;
function fakeSocket(remoteAddress: string) {
  const address = { remoteAddress, remotePort: (lastPort += 1) };
  const socket = Object.assign(new EventEmitter(), address, { refused: false });
  return Object.assign(socket, { destroy: () => void (socket.refused = true) });
}

/** A fake server with a connection limit, and a function that connects a socket to it. */
function limitedServer(limit: (server: never) => void) {
  const server = new EventEmitter();
  limit(server as never);
  const come = (address = '203.0.113.7') => {
    const socket = fakeSocket(address);
    server.emit('connection', socket);
    return socket;
  };
  return { server, come };
}
const refusals = (sockets: FakeSocket[]) => sockets.map(({ refused }) => refused);

describe('server with four connections', () => {
  const small = () => {
    const { server, come } = limitedServer((limited) => limitConnections(limited, 4));
    const ask = (socket: FakeSocket) => {
      const outgoing = new EventEmitter();
      server.emit('request', { socket }, outgoing);
      return () => outgoing.emit('close');
    };
    return { come, ask };
  };

  test('closes the connection that has been idle longest', () => {
    const { come, ask } = small();
    const four = [come(), come(), come(), come()] as const;
    ask(four[0]);
    // It was answered just now, so it is the most recently idle one.
    ask(four[1])();
    expect(come().refused).toBe(false);
    expect(refusals([...four])).toEqual([false, false, true, false]);
    come();
    come();
    expect(refusals([...four])).toEqual([false, true, true, true]);
  });

  test('refuses a new connection while all are busy, until one closes', () => {
    const { come, ask } = small();
    const all = [come(), come(), come(), come()];
    const [finish] = all.map(ask);
    expect(come().refused).toBe(true);
    expect(refusals(all)).toEqual([false, false, false, false]);
    all[0]?.emit('close');
    finish?.();
    const last = come();
    expect(last.refused).toBe(false);
    ask(last);
    expect(come().refused).toBe(true);
  });
});

describe('limit per address', () => {
  const counting = () =>
    limitedServer((server) => limitPerAddress(server, trustedProxies(['192.0.2.0/24']))).come;
  const many = (come: ReturnType<typeof counting>, count: number, address = (_n: number) => '203.0.113.7') =>
    refusals(Array.from({ length: count }, (_, n) => come(address(n)))).filter(Boolean).length;

  test('accepts 300 connections, also in IPv6; one that closes makes room, a refused one does not', () => {
    const come = counting();
    const first = come();
    expect(many(come, MAX_PER_ADDRESS + 49)).toBe(50);
    const refused = come('::ffff:203.0.113.7');
    expect([refused.refused, come('203.0.113.8').refused]).toEqual([true, false]);
    refused.emit('close');
    expect(come().refused).toBe(true);
    first.emit('close');
    expect([come().refused, come().refused]).toEqual([false, true]);
    const inHouse = (n: number) => `2001:db8:1:2::${n.toString(16)}`;
    expect(many(counting(), MAX_PER_ADDRESS + 5, inHouse)).toBe(5);
  });

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.9'])(
    'does not apply to %s, which connects for many clients',
    (address) => {
      expect(many(counting(), MAX_PER_ADDRESS * 5, () => address)).toBe(0);
    },
  );

  test('is enforced by the server, which waits ten seconds for a request’s head', async () => {
    const server = createNodeServer(readEnv({ HOST: '127.0.0.1', PORT: '0' }), () => undefined);
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 300_000]);
    // No connection below is closed for being slow.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    // All of them appear to come from one remote address.
    server.prependListener('connection', (socket: Socket) => {
      Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.7' });
    });
    const { port } = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
    const held = Array.from({ length: MAX_PER_ADDRESS }, () => connect(port, '127.0.0.1'));
    await Promise.all(held.map((socket) => once(socket, 'connect')));
    await once(connect(port, '127.0.0.1').resume(), 'close');
    expect(held.some(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(false);
    for (const socket of held) socket.destroy();
    server.close();
  });
});

describe('running transfer', () => {
  let warned: string[];
  let transfers: Transfers;
  beforeEach(() => {
    vi.useFakeTimers();
    warned = [];
    const log = pino({ level: 'warn' }, { write: (line) => void warned.push(line) });
    transfers = createTransfers({ log });
  });
  afterEach(() => {
    transfers.close();
    vi.useRealTimers();
  });
  const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
  const cut = () => vi.fn<() => void>();
  const counts = (...each: { mock: { calls: unknown[] } }[]) => each.map(({ mock }) => mock.calls.length);

  test('is aborted within a second after access ends; other and completed transfers are not', async () => {
    const [his, hers, ended] = [cut(), cut(), cut()];
    let right = true;
    transfers.hold(his, async () => right);
    transfers.hold(hers);
    await pass(5_000);
    expect(his).not.toHaveBeenCalled();
    right = false;
    const checkAccess = vi.fn<() => Promise<boolean>>(async () => false);
    transfers.hold(ended, checkAccess)();
    await pass(1_000);
    expect(his).toHaveBeenCalled();
    expect(counts(hers, ended, checkAccess)).toEqual([0, 0, 0]);
  });

  test('continues with a warning if access can’t be checked, and is checked again', async () => {
    const his = cut();
    const allowed = vi.fn<() => Promise<boolean>>(async () => false);
    allowed.mockRejectedValueOnce(new Error('no database'));
    transfers.hold(his, allowed);
    await pass(500);
    expect([...counts(his), warned.length]).toEqual([0, 1]);
    await pass(500);
    expect([...counts(his), warned.length]).toEqual([1, 1]);
  });
});

describe('slow request body', () => {
  const { server, to } = useSignedUp();
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  /** Sends the head of a request and waits until the server has read it. */
  async function begin(
    method: string,
    path: string,
    headers: Record<string, string> = {},
  ): Promise<ClientRequest> {
    const type = { 'content-type': 'application/json', 'content-length': '10', expect: '100-continue' };
    const sent = request(`${server.url}/api${path}`, {
      method,
      agent: false,
      headers: { origin: server.url, ...type, ...headers },
    });
    sent.flushHeaders();
    await once(sent, 'continue');
    return sent;
  }

  test.each([
    ['POST', '/access'],
    ['GET', '/site'],
    ['PATCH', `/admin/uploads/${'a'.repeat(32)}`],
  ])('is aborted after fifteen seconds: %s %s', async (method, path) => {
    const sent = await begin(method, path);
    let over = false;
    const closed = new Promise<void>((resolve) => sent.on('close', resolve)).then(() => (over = true));
    sent.on('error', () => undefined).on('response', (response) => response.resume());
    sent.write('{');
    await vi.advanceTimersByTimeAsync(14_999);
    if (path === '/access') expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await closed;
  });

  test('has no time limit if it is part of the administrator’s upload', async () => {
    const id = idOf(await announce(to, 10, { slot: 'video', filename: 'film.mp4' }));
    const sent = await begin('PATCH', `/admin/uploads/${id}`, {
      cookie: to.cookie,
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
    });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.write('first');
    await expect.poll(() => arrived(server, id)).toBe(5);
    await vi.advanceTimersByTimeAsync(60_000);
    sent.end('later');
    expect((await answered)[0].statusCode).toBe(204);
  });
});

/** Larger than the kernel's buffers. */
const BIG = Buffer.alloc(32 * 1024 * 1024);

describe('pipelined requests', () => {
  let server: Server;
  let port: number;
  /** Number of requests parsed, without `/healthz`. */
  let read: number;
  /** Responses whose handler has started, and the maximum number of them unfinished at once. */
  let begun: ServerResponse[];
  let maxUnfinished: number;
  let release: () => void;
  let socket: Socket;

  beforeEach(async () => {
    [read, begun, maxUnfinished] = [0, [], 0];
    const released = new Promise<void>((resolve) => (release = resolve));
    const answer = async ({ url = '' }: IncomingMessage, outgoing: ServerResponse) => {
      begun.push(outgoing);
      maxUnfinished = Math.max(
        maxUnfinished,
        begun.filter(({ writableFinished }) => !writableFinished).length,
      );
      if (url !== '/big') await released;
      outgoing.end(url === '/big' ? BIG : `${url}\n`);
    };
    server = createNodeServer(readEnv({ HOST: '127.0.0.1', PORT: '0' }), (incoming, outgoing) => {
      if (incoming.url === '/healthz') outgoing.end('ok');
      else void answer(incoming, outgoing);
    });
    server.on('request', ({ url }) => void (url !== '/healthz' && (read += 1)));
    ({ port } = await listen(server, { HOST: '127.0.0.1', PORT: 0 }));
    socket = await open();
  });
  afterEach(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });

  const open = async () => {
    const opened = connect(port, '127.0.0.1');
    await once(opened, 'connect');
    return opened.on('error', () => undefined);
  };
  const ask = (path: string, connection: string) =>
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
  /** Sends a request on another connection. By its reply, everything sent before has reached the server. */
  const othersAreAnswered = async () => {
    const other = await open();
    other.write(ask('/healthz', 'close'));
    expect((await other.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
  };

  test('runs one handler at a time, in order, and reads at most 16 requests', async () => {
    const paths = Array.from({ length: 48 }, (_, n) => `/${n}`);
    for (const path of paths) {
      socket.write(ask(path, path === paths.at(-1) ? 'close' : 'keep-alive'));
      await othersAreAnswered();
    }
    expect([begun.length, read]).toEqual([1, 16]);
    release();
    const answers = (await socket.toArray()).join('');
    expect(answers.match(/^\/\d+$/gm)).toEqual(paths);
    expect(maxUnfinished).toBe(1);
  });

  test('closes a connection that sends 1,000 requests in one chunk', async () => {
    const closed = once(socket.resume(), 'close');
    socket.write(ask('/', 'keep-alive').repeat(1_000));
    await othersAreAnswered();
    expect(begun).toHaveLength(1);
    await closed;
  });

  test('closes a connection that reads nothing of a response for five minutes, not one that waits for a handler', async () => {
    expect(server.timeout).toBe(300_000);
    const waiting = await open();
    waiting.write(ask('/slow', 'close'));
    await othersAreAnswered();
    socket.pause().write(ask('/big', 'keep-alive').repeat(16));
    await othersAreAnswered();
    expect([begun.length, read]).toEqual([2, 17]);
    const [slow, untaken] = begun.map((outgoing) => outgoing.socket);
    // Shortens the limit of these two.
    const over = [slow, untaken].map((each) => each && once(each.setTimeout(1), 'timeout'));
    await Promise.all(over);
    expect([slow?.destroyed, untaken?.destroyed]).toEqual([false, true]);
    release();
    expect((await waiting.toArray()).join('')).toMatch(/^HTTP\/1\.1 200 .*\/slow\n$/s);
    expect(begun).toHaveLength(2);
  });
});
