import { EventEmitter, once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { trustedProxies } from '../../src/server/http/address.ts';
import {
  limitConnections,
  limitPerAddress,
  MAX_PER_ADDRESS,
} from '../../src/server/http/connection-limit.ts';
import { createNodeServer, listen } from '../../src/server/http/node-server.ts';

class FakeSocket extends EventEmitter {
  refused = false;
  static last = 40_000;
  readonly remotePort = (FakeSocket.last += 1);
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.refused = true;
  }
}

/** A server of four places. */
const small = () => {
  const server = new EventEmitter();
  limitConnections(server as never, 4);
  const come = () => {
    const socket = new FakeSocket('203.0.113.7');
    server.emit('connection', socket);
    return socket;
  };
  const ask = (socket: FakeSocket) => {
    const outgoing = new EventEmitter();
    server.emit('request', { socket }, outgoing);
    return () => outgoing.emit('close');
  };
  return { come, ask };
};

test('when all places are taken, the one that has asked nothing for longest goes', () => {
  const { come, ask } = small();
  const [asking, idle, fresh, third] = [come(), come(), come(), come()];
  ask(asking);
  // It was answered: it is the last of those that ask nothing.
  ask(idle)();
  expect(come().refused).toBe(false);
  expect([asking, idle, fresh, third].map(({ refused }) => refused)).toEqual([false, false, true, false]);
  come();
  come();
  expect([asking, idle, fresh, third].map(({ refused }) => refused)).toEqual([false, true, true, true]);
});

test('nobody who is being answered goes: then whoever comes is turned away, and who leaves makes room', () => {
  const { come, ask } = small();
  const all = [come(), come(), come(), come()];
  const [finish] = all.map(ask);
  expect(come().refused).toBe(true);
  expect(all.some(({ refused }) => refused)).toBe(false);
  all[0]?.emit('close');
  finish?.();
  const last = come();
  expect(last.refused).toBe(false);
  ask(last);
  expect(come().refused).toBe(true);
});

test('the server itself counts, and gives the head of a request ten seconds', async () => {
  const server = createNodeServer(readEnv({ HOST: '127.0.0.1', PORT: '0' }), () => undefined);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([10_000, 300_000]);
  // Whoever is cut below is not cut for being slow.
  Object.assign(server, { headersTimeout: 0, requestTimeout: 0 });
  // All of them come from one address elsewhere.
  server.prependListener('connection', (socket: Socket) => {
    Object.defineProperty(socket, 'remoteAddress', { value: '203.0.113.7' });
  });
  const { port } = await listen(server, { HOST: '127.0.0.1', PORT: 0 });
  const held = await Promise.all(
    Array.from({ length: MAX_PER_ADDRESS }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  const more = connect(port, '127.0.0.1');
  await once(more.resume(), 'close');
  expect(held.some(({ destroyed, readableEnded }) => destroyed || readableEnded)).toBe(false);
  for (const socket of held) socket.destroy();
  server.close();
});

const counting = () => {
  const server = new EventEmitter();
  limitPerAddress(server as never, trustedProxies(['192.0.2.0/24']));
  return (address: string) => {
    const socket = new FakeSocket(address);
    server.emit('connection', socket);
    return socket;
  };
};
const many = (connect: (address: string) => FakeSocket, address: (n: number) => string, count: number) =>
  Array.from({ length: count }, (_, n) => connect(address(n))).filter(({ refused }) => refused).length;

test('an address holds 300 connections; others are not touched, and who leaves makes room', () => {
  const connect = counting();
  const first = connect('203.0.113.7');
  expect(many(connect, () => '203.0.113.7', MAX_PER_ADDRESS + 49)).toBe(50);
  expect(connect('::ffff:203.0.113.7').refused).toBe(true);
  expect(connect('203.0.113.8').refused).toBe(false);
  first.emit('close');
  expect(connect('203.0.113.7').refused).toBe(false);
  expect(connect('203.0.113.7').refused).toBe(true);
});

test('a refused connection that closes makes no room', () => {
  const connect = counting();
  many(connect, () => '203.0.113.7', MAX_PER_ADDRESS);
  connect('203.0.113.7').emit('close');
  expect(connect('203.0.113.7').refused).toBe(true);
});

test('a household is one address in IPv6', () => {
  expect(many(counting(), (n) => `2001:db8:1:2::${n.toString(16)}`, MAX_PER_ADDRESS + 5)).toBe(5);
});

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '192.0.2.9'])('%s speaks for many', (address) => {
  expect(many(counting(), () => address, MAX_PER_ADDRESS * 5)).toBe(0);
});
