import { EventEmitter, once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
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
import { createNodeServer, listen } from '../../src/server/http/node-server.ts';
import { createTransfers, type Transfers } from '../../src/server/live/transfers.ts';
import { useSignedUp } from '../support/suites.ts';
import { announce, arrived, idOf } from '../support/uploads.ts';

let lastPort = 40_000;
class FakeSocket extends EventEmitter {
  refused = false;
  readonly remotePort = (lastPort += 1);
  readonly remoteAddress: string;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy() {
    this.refused = true;
  }
}
/** Lets a socket come to a server that limits its connections. */
function door(limit: (server: never) => void) {
  const server = new EventEmitter();
  limit(server as never);
  const come = (address = '203.0.113.7') => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  };
  return { server, come };
}
const refusals = (sockets: FakeSocket[]) => sockets.map(({ refused }) => refused);

describe('a server with four places', () => {
  const small = () => {
    const { server, come } = door((limited) => limitConnections(limited, 4));
    const ask = (socket: FakeSocket) => {
      const outgoing = new EventEmitter();
      server.emit('request', { socket }, outgoing);
      return () => outgoing.emit('close');
    };
    return { come, ask };
  };

  test('closes the connection that has asked nothing for longest', () => {
    const { come, ask } = small();
    const four = [come(), come(), come(), come()] as const;
    ask(four[0]);
    // It was answered: it is the last of those that ask nothing.
    ask(four[1])();
    expect(come().refused).toBe(false);
    expect(refusals([...four])).toEqual([false, false, true, false]);
    come();
    come();
    expect(refusals([...four])).toEqual([false, true, true, true]);
  });

  test('turns a newcomer away while all are being answered, until one leaves', () => {
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

describe('an address', () => {
  const counting = () => door((server) => limitPerAddress(server, trustedProxies(['192.0.2.0/24']))).come;
  const many = (come: ReturnType<typeof counting>, count: number, address = (_n: number) => '203.0.113.7') =>
    refusals(Array.from({ length: count }, (_, n) => come(address(n)))).filter(Boolean).length;

  test('holds 300 connections, also in IPv6; one that closes makes room, a refused one does not', () => {
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

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.9'])('%s speaks for many', (address) => {
    expect(many(counting(), MAX_PER_ADDRESS * 5, () => address)).toBe(0);
  });

  test('is counted by the server itself, which gives a request’s head ten seconds', async () => {
    const server = createNodeServer(readEnv({ HOST: '127.0.0.1', PORT: '0' }), () => undefined);
    expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 300_000]);
    // Nobody is cut below for being slow.
    Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
    // All of them come from one address elsewhere.
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

describe('a body under way', () => {
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

  test('is cut within a second of its right’s end, others are not, nor one that has ended', async () => {
    const [his, hers, ended] = [cut(), cut(), cut()];
    let right = true;
    transfers.hold(his, async () => right);
    transfers.hold(hers);
    await pass(5_000);
    expect(his).not.toHaveBeenCalled();
    right = false;
    const asked = vi.fn<() => Promise<boolean>>(async () => false);
    transfers.hold(ended, asked)();
    await pass(1_000);
    expect(his).toHaveBeenCalled();
    expect(counts(hers, ended, asked)).toEqual([0, 0, 0]);
  });

  test('stays while its right can’t be read, with a warning, and is asked for again', async () => {
    const his = cut();
    const allowed = vi.fn<() => Promise<boolean>>(async () => false);
    allowed.mockRejectedValueOnce(new Error('no database'));
    transfers.hold(his, allowed);
    await pass(500);
    expect([...counts(his), warned.length]).toEqual([0, 1]);
    await pass(500);
    expect([...counts(his), warned.length]).toEqual([1, 1]);
  });

  test('is asked for one answer at a time', async () => {
    const asked = vi.fn<() => Promise<boolean>>(
      () => new Promise((resolve) => setTimeout(resolve, 3_000, true)),
    );
    transfers.hold(() => undefined, asked);
    await pass(3_000);
    expect(asked).toHaveBeenCalledOnce();
    await pass(1_000);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('is cut by a server that stops, and so is one that comes later', () => {
    const [before, after] = [cut(), cut()];
    transfers.hold(before);
    transfers.close();
    transfers.hold(after);
    expect(counts(before, after)).toEqual([1, 1]);
  });
});

describe('a slow body', () => {
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
    ['POST', '/nowhere'],
    ['POST', '/admin/uploads'],
    ['PATCH', `/admin/uploads/${'a'.repeat(32)}`],
  ])('is cut after fifteen seconds: %s %s', async (method, path) => {
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

  test('that is a piece of the administrator’s upload takes as long as it takes', async () => {
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
