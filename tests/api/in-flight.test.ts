import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createSecureContext, type SecureContext, connect as tlsConnect } from 'node:tls';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readEnv } from '../../src/server/env.ts';
import { createNodeServer, listen } from '../../src/server/http/node-server.ts';
import { selfSigned } from '../support/mail-server.ts';

const NAME = 'localhost';
/** More than the kernel buffers. */
const BIG = Buffer.alloc(32 * 1024 * 1024);

let context: SecureContext;
beforeAll(() => void (context = createSecureContext(selfSigned())));

describe.each(['http', 'https'] as const)('requests pipelined over %s', (scheme) => {
  let server: Server;
  let port: number;
  /** Requests parsed, without `/healthz`. */
  let read: number;
  /** Responses whose handler has started, and the most of them unfinished at once. */
  let begun: ServerResponse[];
  let most: number;
  let release: () => void;
  let socket: Socket;

  beforeEach(async () => {
    [read, begun, most] = [0, [], 0];
    const released = new Promise<void>((resolve) => (release = resolve));
    const answer = async ({ url = '' }: IncomingMessage, outgoing: ServerResponse) => {
      begun.push(outgoing);
      most = Math.max(most, begun.filter(({ writableFinished }) => !writableFinished).length);
      if (url !== '/big') await released;
      outgoing.end(url === '/big' ? BIG : `${url}\n`);
    };
    server = createNodeServer(
      readEnv({ HOST: '127.0.0.1', PORT: '0' }),
      (incoming, outgoing) => {
        if (incoming.url === '/healthz') outgoing.end('ok');
        else void answer(incoming, outgoing);
      },
      scheme === 'https' ? () => context : undefined,
    );
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
    const [opened, event] =
      scheme === 'https'
        ? [tlsConnect({ port, servername: NAME, rejectUnauthorized: false }), 'secureConnect']
        : [connect(port, '127.0.0.1'), 'connect'];
    await once(opened, event);
    return opened.on('error', () => undefined);
  };
  const ask = (path: string, connection: string) =>
    `GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\nConnection: ${connection}\r\n\r\n`;
  /** Asks on another connection. Whatever was sent before has reached the server by then. */
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
    expect(most).toBe(1);
  });

  test('closes a connection that sends 1,000 requests in one chunk', async () => {
    const closed = once(socket.resume(), 'close');
    socket.write(ask('/', 'keep-alive').repeat(1_000));
    await othersAreAnswered();
    expect(begun).toHaveLength(1);
    await closed;
  });

  test('closes a connection that takes nothing of a response for five minutes, not one that waits for a handler', async () => {
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
