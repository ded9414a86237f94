import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { raw } from '../support/http.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

describe('what is no HTTP', () => {
  const broken: [string, string][] = [
    ['words', 'hello\r\n\r\n'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [
      'two lengths',
      'POST /api/visit/resume HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}',
    ],
    [
      'a length and chunks',
      'POST /api/visit/resume HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a bare line feed', 'GET / HTTP/1.1\nHost: x\nX: a\rb\n\n'],
    ['64 kB of headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(65_536)}\r\n\r\n`],
    ['a space in a name', 'GET / HTTP/1.1\r\nHost: x\r\nX y: z\r\n\r\n'],
    ['an unknown method', 'FOO / HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two hosts', 'GET /api/site HTTP/1.1\r\nHost: x\r\nHost: y\r\nConnection: close\r\n\r\n'],
    ['the same host twice', 'GET / HTTP/1.1\r\nHost: x\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a host of five numbers', 'GET /api/site HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n'],
    ['a page of five numbers', 'GET / HTTP/1.1\r\nHost: 1.2.3.4.5\r\nConnection: close\r\n\r\n'],
    ['a number too large', 'GET /api/site HTTP/1.1\r\nHost: 0x1ffffffff\r\nConnection: close\r\n\r\n'],
    ['a backslash', 'GET /..\\..\\x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ];
  test.each(broken)('%s gets a 400 with every header, and nothing else', async (_name, text) => {
    const answer = await raw(server.url, text);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(answer.toLowerCase()).toContain('content-security-policy: ');
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(answer).toContain('"codice":"BAD_INPUT"');
    expect(server.logged()).not.toMatch(/"level":(50|60)/);
  });

  test('a connection that has had an answer gets that 400, too', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    const [first] = (await once(socket, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200 /);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    socket.write(`GET /api/site?${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`);
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test('it is never put in the place of an answer that is still owed', async () => {
    const answer = await raw(server.url, 'GET /api/site HTTP/1.1\r\nHost: x\r\n\r\nhello\r\n\r\n');
    expect(answer).not.toMatch(/^HTTP\/1\.1 400 /);
  });

  test('whoever goes on sending hears it all the same', async () => {
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString();
    });
    const closed = once(socket, 'close');
    socket.write(`GET /api/site?${'a'.repeat(20_000)}`);
    for (let n = 0; n < 20 && !socket.destroyed; n += 1) {
      await new Promise((resolve) => socket.write('a'.repeat(20_000), resolve));
    }
    await closed;
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*}$/s);
  });
});
