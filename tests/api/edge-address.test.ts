import { describe, expect, test } from 'vitest';
import { clientAddress, isAddressRange, trustedProxies } from '../../src/server/http/address.ts';
import { readVisitCookie } from '../../src/server/http/cookies.ts';
import { createClient } from '../support/client.ts';
import { call } from '../support/http.ts';
import { prepareEvening, signUp } from '../support/http-evening.ts';
import { configRow } from '../support/rows.ts';
import { startServer, type TestServer } from '../support/server.ts';

const trusts = trustedProxies(['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']);
const nobody = trustedProxies([]);

describe("the client's address", () => {
  const cases: [string, string | undefined, string | undefined, string][] = [
    ['no header', '127.0.0.1', undefined, '127.0.0.1'],
    ['one hop', '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['spoofed on the left', '127.0.0.1', '1.2.3.4, 203.0.113.7', '203.0.113.7'],
    ['two of our proxies', '127.0.0.1', '203.0.113.7, 10.1.2.3', '203.0.113.7'],
    [
      'a spoofed proxy further left is not passed',
      '127.0.0.1',
      '1.2.3.4, 203.0.113.7, 10.0.0.1',
      '203.0.113.7',
    ],
    ['all ours', '127.0.0.1', '10.0.0.2, 10.0.0.1', '10.0.0.2'],
    ['IPv4 dressed as IPv6, peer', '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['IPv4 dressed as IPv6, hop', '127.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
    ['IPv4 dressed in capitals', '127.0.0.1', '::FFFF:203.0.113.7', '203.0.113.7'],
    ['IPv6', '::1', '2001:DB8::7', '2001:db8::7'],
    ['IPv6 with brackets and port', '::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['IPv4 with a port', '127.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['a zone', '127.0.0.1', 'fe80::1%eth0', 'fe80::1'],
    ['empty', '127.0.0.1', '', '127.0.0.1'],
    ['commas', '127.0.0.1', ', ,', '127.0.0.1'],
    ['words', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['words on the left', '127.0.0.1', 'evil, 203.0.113.7', '203.0.113.7'],
    ['words on the right end the walk', '127.0.0.1', '203.0.113.7, evil', '127.0.0.1'],
    ['a number', '127.0.0.1', '2130706433', '127.0.0.1'],
    ['octal', '127.0.0.1', '0177.0.0.1', '127.0.0.1'],
    ['a long list', '127.0.0.1', `${'1.1.1.1,'.repeat(2_000)}203.0.113.7`, '203.0.113.7'],
    ['no peer', undefined, '203.0.113.7', 'unknown'],
  ];
  test.each(cases)('%s', (_name, peer, header, expected) => {
    expect(clientAddress(peer, header, trusts)).toBe(expected);
  });

  test.each(cases)('%s: from a peer nobody trusts the header says nothing', (_name, _peer, header) => {
    expect(clientAddress('198.51.100.9', header, trusts)).toBe('198.51.100.9');
    expect(clientAddress('127.0.0.1', header, nobody)).toBe('127.0.0.1');
  });
});

test('what may stand in TRUSTED_PROXIES', () => {
  for (const good of ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8', '0.0.0.0/0'])
    expect(isAddressRange(good), good).toBe(true);
  for (const bad of [
    '',
    'proxy',
    '10.0.0.0/33',
    '10.0.0/8',
    '::1/129',
    '1.2.3.4/8/8',
    '1.2.3.4/',
    '1.2.3.4/a',
  ]) {
    expect(isAddressRange(bad), bad).toBe(false);
  }
});

describe('tries are counted by the address that is believed', () => {
  const wrong = (url: string, forwarded: Record<string, string>) =>
    call(
      url,
      'POST',
      '/access',
      { token: 'ROM-XXXXXXXX', attempt_id: crypto.randomUUID(), device_id: 'd' },
      { headers: forwarded },
    );

  const counters = async ({ deps }: TestServer) =>
    (await deps.db.selectFrom('rate_limits').select('key').where('key', 'like', 'try:code:%').execute())
      .length;

  test('a rotating header gains nothing when nobody is trusted, whatever it is called', async () => {
    const server = await startServer();
    await prepareEvening(server);
    const names = [
      'x-forwarded-for',
      'X-Forwarded-For',
      'forwarded',
      'x-real-ip',
      'x-client-ip',
      'client-ip',
      'true-client-ip',
      'cf-connecting-ip',
      'fastly-client-ip',
      'x-cluster-client-ip',
      'x-forwarded',
      'forwarded-for',
      'x-original-forwarded-for',
      'x-remote-ip',
      'x-remote-addr',
      'via',
      'x-azure-clientip',
    ];
    for (const [i, name] of names.entries()) {
      const value = name === 'forwarded' ? `for=203.0.113.${i}` : `203.0.113.${i}`;
      expect((await wrong(server.url, { [name]: value })).status).toBe(403);
    }
    expect(await counters(server)).toBe(1);
    await server.stop();
  });

  test('lets the right code in at the first request beside 24 connections that guess from its own', async () => {
    const server = await startServer();
    const { token } = await prepareEvening(server);
    const entering = () => ({ token: 'ROM-XXXXXXXX', attempt_id: crypto.randomUUID(), device_id: 'd' });
    const guessers = createClient(24);
    const statuses = new Set<number>();
    let guessing = true;
    const guesses = Array.from({ length: 24 }, async () => {
      while (guessing) statuses.add((await guessers.post(server.url, '/access', entering())).status);
    });
    const hers = await call(server.url, 'POST', '/access', { ...entering(), token: token.token });
    guessing = false;
    await Promise.all(guesses);
    expect([hers.status, ...statuses]).toEqual([200, 403]);
    guessers.close();
    await server.stop();
  });

  test('behind a trusted proxy each client has its own tries', async () => {
    const server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    await prepareEvening(server);
    for (let i = 0; i < 7; i += 1)
      expect((await wrong(server.url, { 'x-forwarded-for': `203.0.113.${i}` })).status).toBe(403);
    expect(await counters(server)).toBe(7);
    for (let i = 0; i < 7; i += 1)
      expect((await wrong(server.url, { 'x-forwarded-for': `198.51.100.${i}, 192.0.2.1` })).status).toBe(403);
    expect(await counters(server)).toBe(8);
    await server.stop();
  });
});

describe("the visitor's cookie", () => {
  const secret = 'a'.repeat(43);
  const plain = {};
  const https = { PUBLIC_URL: 'https://sorpresa.example' };

  test('is read under its own name only, and only when it can be ours', () => {
    expect(readVisitCookie(plain, `sid=${secret}`)).toBe(secret);
    expect(readVisitCookie(plain, `a=b; sid=${secret}; c=d`)).toBe(secret);
    expect(readVisitCookie(https, `__Host-sid=${secret}`)).toBe(secret);
    expect(readVisitCookie(https, `sid=${secret}`)).toBeNull();
    for (const bad of [
      undefined,
      '',
      'sid=',
      'sid=short',
      `sid=${'a'.repeat(201)}`,
      `sid=${secret}%00`,
      `xsid=${secret}`,
      'sid',
      ';;;',
      `sid=${'é'.repeat(30)}`,
    ]) {
      expect(readVisitCookie(plain, bad)).toBeNull();
    }
  });

  test('over http: HttpOnly, Lax, the whole site, 24 hours', async () => {
    const server = await startServer();
    const evening = await prepareEvening(server);
    const answer = await call(server.url, 'POST', '/access', {
      token: evening.token.token,
      attempt_id: crypto.randomUUID(),
      device_id: 'd',
    });
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^sid=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    await server.stop();
  });

  test('over https: bound to this very host, Secure; a value brought along is never taken', async () => {
    const server = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
    const https = { headers: { origin: 'https://sorpresa.example' } };
    const { deps, url } = server;
    const now = deps.now().toISOString();
    await deps.db
      .insertInto('admin_config')
      .values({
        ...configRow(1),
        video_url: `/api/media/${'0'.repeat(32)}.mp4`,
        versione: 1,
        updated_at: now,
      })
      .execute();
    await deps.db
      .insertInto('tokens')
      .values({
        id: crypto.randomUUID(),
        token: 'ROM-ABCDEFGH',
        normalized: 'ROMABCDEFGH',
        nome: 'x',
        max_accessi: 5,
        accessi_usati: 0,
        scadenza: null,
        attivo: true,
        created_by: null,
        created_at: now,
      })
      .execute();
    const brought = `__Host-sid=${secret}`;
    const answer = await call(
      url,
      'POST',
      '/access',
      { token: 'ROM-ABCDEFGH', attempt_id: crypto.randomUUID(), device_id: 'd' },
      { ...https, cookie: brought },
    );
    expect(answer.status, answer.text).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-sid=[\w-]{43}; Max-Age=86400; Path=\/; HttpOnly; Secure; SameSite=Lax$/),
    ]);
    expect(answer.cookie).not.toBe(brought);
    expect((await call(url, 'POST', '/visit/resume', {}, { ...https, cookie: brought })).status).toBe(401);
    expect((await call(url, 'POST', '/visit/resume', {}, { ...https, cookie: answer.cookie })).status).toBe(
      200,
    );
    await server.stop();
  });
});

describe('a proxy that is not named', () => {
  const forwarded = { headers: { 'x-forwarded-for': '203.0.113.7' } };
  const said = ({ logged }: { logged(): string }) =>
    logged().match(/a proxy that TRUSTED_PROXIES/g)?.length ?? 0;

  test('is said once in the log, and to the administrator', async () => {
    const server = await startServer();
    const cookie = await signUp(server);
    const me = async () =>
      (await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body.unnamed_proxy;
    expect([await me(), said(server)]).toEqual([null, 0]);
    await call(server.url, 'GET', '/site', undefined, forwarded);
    await call(server.url, 'GET', '/site', undefined, forwarded);
    expect([await me(), said(server)]).toEqual(['127.0.0.1', 1]);
    await server.stop();
  });

  test('one that is named is not', async () => {
    const server = await startServer({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    const cookie = await signUp(server);
    await call(server.url, 'GET', '/site', undefined, forwarded);
    expect((await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body.unnamed_proxy).toBeNull();
    expect(said(server)).toBe(0);
    await server.stop();
  });
});
