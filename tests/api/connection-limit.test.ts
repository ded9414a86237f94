import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { trustedProxies } from '../../src/server/http/address.ts';
import { limitPerAddress, MAX_PER_ADDRESS } from '../../src/server/http/connection-limit.ts';

class FakeSocket extends EventEmitter {
  refused = false;
  readonly remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.refused = true;
  }
}

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

test('an address holds 200 connections; others are not touched, and who leaves makes room', () => {
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
