import { ORPCError } from '@orpc/server';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { clientAddress, isAddressRange, trustedProxies } from '../../src/server/http/address.ts';
import { parseJson } from '../../src/server/http/edge.ts';
import { ClientDisconnected, toErrorReply } from '../../src/server/http/refusals.ts';
import { clearedVisitCookies, cookieHeader, readCookies } from '../../src/server/http/request-context.ts';
import { contentDisposition, etagMatches, ifRangeMatches, parseRange } from '../../src/server/http/send.ts';
import { loggedPath } from '../../src/server/http/server.ts';
import { StorageUnavailable } from '../../src/server/storage/storage.ts';

/** Rules for the headers of requests and responses, tested without a server. */

describe('range of ten bytes', () => {
  const part = (start: number, end: number) => ({ start, end });
  const [whole, none] = ['whole', 'unsatisfiable'];
  test.each([
    [undefined, whole],
    ['bytes=9-', part(9, 9)],
    ['bytes=10-', none],
    ['bytes=9-10', part(9, 9)],
    ['BYTES = 3 - 3', part(3, 3)],
    ['bytes=3-2', whole],
    ['bytes=-1', part(9, 9)],
    ['bytes=-11', part(0, 9)],
    ['bytes=-0', none],
    ['bytes=-', whole],
    ['bytes=0-1,3-4', whole],
    ['lines=0-1', whole],
    ['bytes=99999999999999999999-', whole],
  ])('parses %s', (header, result) => {
    expect(parseRange(header, 10)).toEqual(result);
  });

  test('is never partial for an empty file', () => {
    expect([parseRange('bytes=-1', 0), parseRange(undefined, 0)]).toEqual([none, whole]);
  });
});

test('matches entity tags in a list, weak or not, and *; If-Range matches a strong one only', () => {
  for (const header of ['W/"a"', '"b", "a"', '*']) expect(etagMatches(header, '"a"'), header).toBe(true);
  for (const header of [undefined, '"b"', 'a']) expect(etagMatches(header, '"a"'), header).toBe(false);
  for (const header of [undefined, ' "a" ']) expect(ifRangeMatches(header, '"a"')).toBe(true);
  for (const header of ['"b"', 'W/"a"']) expect(ifRangeMatches(header, '"a"')).toBe(false);
});

describe('client address', () => {
  const trusts = trustedProxies(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
  const HERS = '203.0.113.7';

  test.each<[string, string | undefined, string | undefined, string]>([
    ['no header', '127.0.0.1', undefined, '127.0.0.1'],
    ['spoofed on the left', '127.0.0.1', `1.2.3.4, ${HERS}`, HERS],
    ['two of our proxies', '127.0.0.1', `${HERS}, 10.1.2.3`, HERS],
    ['all ours', '127.0.0.1', '10.0.0.2, 10.0.0.1', '10.0.0.2'],
    ['IPv4 dressed as IPv6, peer', '::ffff:127.0.0.1', HERS, HERS],
    ['IPv4 dressed as IPv6, hop', '127.0.0.1', `::ffff:${HERS}`, HERS],
    ['IPv6 with brackets and port', '::1', '[2001:DB8::7]:443', '2001:db8::7'],
    ['IPv4 with a port', '127.0.0.1', `${HERS}:51234`, HERS],
    ['a zone', '127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['words on the right end the walk', '127.0.0.1', `${HERS}, evil`, '127.0.0.1'],
    ['no peer', undefined, HERS, 'unknown'],
  ])('is read from the header of a trusted peer only: %s', (_name, peer, header, expected) => {
    expect(clientAddress(peer, header, trusts)).toBe(expected);
    expect(clientAddress('198.51.100.9', header, trusts)).toBe('198.51.100.9');
    expect(clientAddress('127.0.0.1', header, trustedProxies([]))).toBe('127.0.0.1');
  });

  test('is compared with valid ranges only', () => {
    for (const good of ['127.0.0.1', '10.0.0.0/32', 'fd00::/128', '0.0.0.0/0'])
      expect(isAddressRange(good), good).toBe(true);
    for (const bad of ['proxy', '10.0.0.0/33', '::1/129', '1.2.3.4/8/8', '1.2.3.4/'])
      expect(isAddressRange(bad), bad).toBe(false);
  });
});

const plain = { env: {}, cookieId: '0a1b2c3d' };
const https = { env: { PUBLIC_URL: 'https://sorpresa.example' }, cookieId: '0a1b2c3d' };

test('reads the visit’s cookie under its own name and with a valid value only', () => {
  const secret = 'a'.repeat(43);
  const readVisitCookie = (on: typeof plain, header: string | undefined) => readCookies(on, header).visit;
  expect(readVisitCookie(plain, `a=b; sid_0a1b2c3d=${secret}; c=d`)).toBe(secret);
  expect(readVisitCookie(https, `__Host-sid_0a1b2c3d=${secret}`)).toBe(secret);
  expect(readVisitCookie(https, `sid_0a1b2c3d=${secret}`)).toBeNull();
  const values = ['short', 'a'.repeat(201), `${secret}%00`].map((value) => `sid_0a1b2c3d=${value}`);
  for (const bad of [undefined, ';;;', `xsid_0a1b2c3d=${secret}`, ...values])
    expect(readVisitCookie(plain, bad), bad).toBeNull();
});

test('distinguishes cookies of two installs on one host, of earlier names and of the time before a restore', () => {
  const [own, old, other] = ['a', 'b', 'c'].map((letter) => letter.repeat(43));
  for (const [name, of] of [
    ['sid', 'visit'],
    ['ricordo', 'keepsake'],
  ] as const) {
    const former = `${name}_ffffffff=${other}`;
    const headers = [
      `${former}; ${name}=${old}; ${name}_0a1b2c3d=${own}`,
      `${former}; ${name}=${old}`,
      former,
    ];
    expect(headers.map((header) => readCookies(plain, header)[of])).toEqual([own, old, other]);
  }
  // Not read: a pass of another install would only be refused as expired.
  expect(readCookies(plain, `prova_ffffffff=${other}`).rehearsal).toBeNull();
  expect(readCookies(plain, `prova=${old}`).rehearsal).toBe(old);
  const deletedNames = (header: string) =>
    clearedVisitCookies(plain, header).map((line) => line.split(';')[0]);
  expect(deletedNames(`sid=${old}; sid_0a1b2c3d=${own}`)).toEqual(['sid_0a1b2c3d=']);
  expect(deletedNames(`sid=${old}`)).toEqual(['sid_0a1b2c3d=', 'sid=']);
  expect(cookieHeader(plain, 'visit', 'a'.repeat(43), 1_000)).toMatch(/^sid_0a1b2c3d=a{43}; /);
});

describe('cookie of a pass', () => {
  const pass = 'a'.repeat(16);

  test('expires after the remaining whole seconds of the pass, never below 0', () => {
    const age = (ms: number) => /Max-Age=(-?\d+)/.exec(cookieHeader(plain, 'rehearsal', pass, ms))?.[1];
    expect([age(60_000), age(60_999), age(999), age(0), age(-60_000)]).toEqual(['60', '60', '0', '0', '0']);
    expect(cookieHeader(plain, 'rehearsal', '', 0)).toContain('prova_0a1b2c3d=; Max-Age=0;');
  });

  test('has its own name and path, and is Secure if TLS is used', () => {
    for (const [which, name, path] of [
      ['rehearsal', 'prova', '/api'],
      ['diagnosis', 'diagnosi', '/api/diagnosis'],
      ['keepsake', 'ricordo', '/api'],
    ] as const) {
      const header = (on: typeof plain) => cookieHeader(on, which, pass, 1_000);
      const value = `${name}_0a1b2c3d=${pass}; Max-Age=1; Path=${path}; HttpOnly`;
      expect(header(plain)).toBe(`${value}; SameSite=Strict`);
      expect(header(https)).toBe(`__Secure-${value}; Secure; SameSite=Strict`);
    }
  });

  test('is read under its own name and with a valid value only', () => {
    const read = (value: string, on = plain) => readCookies(on, `prova_0a1b2c3d=${value}`).rehearsal;
    for (const good of [pass, `b.${'a'.repeat(198)}`]) expect(read(good)).toBe(good);
    for (const odd of ['a'.repeat(15), 'a'.repeat(201), `${pass}!`]) expect(read(odd), odd).toBeNull();
    expect(read(pass, https)).toBeNull();
  });
});

test.each([
  ['biglietti.pdf', 'inline; filename="biglietti.pdf"'],
  ['a"b\\c%d;e.pdf', `inline; filename="a_b_c_d_e.pdf"; filename*=UTF-8''a%22b%5Cc%25d%3Be.pdf`],
  ["l'(è)*.pdf", `inline; filename="l'(_)*.pdf"; filename*=UTF-8''l%27%28%C3%A8%29%2A.pdf`],
  ['a\r\nb\u0000c\u202e.pdf', 'inline; filename="abc.pdf"'],
  ['\u0000', 'inline; filename="file"'],
  ['x'.repeat(201), `inline; filename="${'x'.repeat(200)}"`],
  ['\ud800.pdf', `inline; filename="_.pdf"; filename*=UTF-8''%EF%BF%BD.pdf`],
])('encodes the file name «%s» as %s', (name, header) => {
  expect(contentDisposition('inline', name)).toBe(header);
});

describe('request body', () => {
  /** Returns the body that a call receives, or `refused`. */
  const read = (text: string | Buffer) => {
    const parsed = parseJson(Buffer.from(text));
    return parsed === null ? 'refused' : parsed.body;
  };
  const nested = (depth: number) => `${'{"a":'.repeat(depth - 1)}{}${'}'.repeat(depth - 1)}`;

  test('has at most twenty levels of objects and arrays', () => {
    expect(read(nested(20))).toEqual(JSON.parse(nested(20)));
    expect(read(nested(21))).toBe('refused');
    expect(read(`{"a":${'['.repeat(19)}${']'.repeat(19)}}`)).toEqual(expect.any(Object));
    expect(read(`{"a":${'['.repeat(20)}${']'.repeat(20)}}`)).toBe('refused');
  });

  test('contains only values that can be stored', () => {
    expect(read('{"a":[1,null,true,"è\\n"]}')).toEqual({ a: [1, null, true, 'è\n'] });
    expect(read('')).toBeUndefined();
    const signs = ['{"\\u0000":1}', '{"a":["\\u0000"]}', '{"\\ud800":1}', '{"a":{"__proto__":1}}'];
    const broken = ['{', '   ', '\uFEFF{}', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])];
    for (const text of [...signs, ...broken, '[]', 'null', '7'])
      expect(read(text), text.toString()).toBe('refused');
  });
});

describe('error reply', () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  const answerOf = (error: unknown) => {
    lines.length = 0;
    const { status, headers, body } = toErrorReply(error, { request_id: 'r-1', log });
    return {
      status,
      body,
      wait: headers['Retry-After'],
      levels: lines.map((line) => JSON.parse(line).level),
    };
  };

  test('contains the details of a listed error and nothing else of it', () => {
    const data = { secondi: 7, more: 'x' };
    const messaggio = 'Troppi tentativi. Riprova tra 7 secondi.';
    const body = { codice: 'TOO_MANY_ATTEMPTS', messaggio, secondi: 7 };
    const tooMany = { status: 429, body, wait: '7', levels: [] };
    expect(answerOf(new ORPCError('TOO_MANY_ATTEMPTS', { data }))).toEqual(tooMany);
    const early = { opens_at: '2099-12-12T20:00:00.000Z', line: 3 };
    expect(answerOf(new ORPCError('TOO_EARLY', { data: early })).body).toMatchObject(early);
    expect(answerOf(new ORPCError('NOT_FOUND')).wait).toBeUndefined();
  });

  test('logs no failure for bad input or a disconnected client', () => {
    const wrapped = new ORPCError('INTERNAL_SERVER_ERROR', { cause: new ClientDisconnected() });
    for (const error of [new ORPCError('BAD_REQUEST'), new ClientDisconnected(), wrapped])
      expect(answerOf(error)).toMatchObject({ status: 400, body: { codice: 'BAD_INPUT' }, levels: [] });
  });

  test('requests a retry in five seconds while a dependency is unavailable', () => {
    const cause = new StorageUnavailable('no');
    const replyBody = { status: 503, body: { codice: 'UNAVAILABLE' }, wait: '5', levels: [40] };
    for (const error of [cause, new ORPCError('INTERNAL_SERVER_ERROR', { cause })])
      expect(answerOf(error)).toMatchObject(replyBody);
  });

  test('contains only the request id of an unexpected error', () => {
    const unknown = new ORPCError('NEVER_HEARD_OF', { message: 'segreto' });
    for (const error of [new Error('segreto'), unknown, null]) {
      const answer = answerOf(error);
      expect(answer).toMatchObject({ status: 500, body: { codice: 'INTERNAL' }, levels: [50] });
      expect(answer.body.messaggio).toContain('r-1');
      expect(JSON.stringify(answer.body)).not.toContain('segreto');
    }
  });
});

test('logs a path without its query and codes, and at most 200 characters of it', () => {
  expect(loggedPath('/api/site?codice=x#y')).toBe('/api/site');
  expect(loggedPath('/ROM-ABCD2345/x/rom%2dabcd2345')).toBe('/ROM-…/x/ROM-…');
  expect([loggedPath(`/${'a'.repeat(199)}`), loggedPath(`/${'a'.repeat(200)}`)]).toEqual(
    Array(2).fill(`/${'a'.repeat(199)}`),
  );
});
