import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SiteAddress } from '../../src/contract/admin/site-address.ts';
import { readEnv } from '../../src/server/env.ts';
import { hostsIn, siteOf } from '../../src/server/features/address/address.ts';
import { inspectAddress, plainHttpOf, proofOf } from '../../src/server/features/address/ask.ts';
import { ownAuthority, type Pem } from '../support/certificates.ts';
import { notShared } from '../support/deps.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { ok } from '../support/http-evening.ts';
import { startServer } from '../support/server.ts';
import { useSignedUp } from '../support/suites.ts';

/** Address inspection over real connections to sites of every kind on this machine. */

const SECRET = randomBytes(32);
const trusted = getCACertificates('default');
let authority: Awaited<ReturnType<typeof ownAuthority>>;
let good: Pem;
beforeAll(async () => {
  authority = await ownAuthority();
  good = authority.give({ name: 'localhost' });
  setDefaultCACertificates([...trusted, authority.ca]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await authority.end();
});

const open = new Set<{ close(): void; closeAllConnections?(): void }>();
afterEach(() => {
  for (const server of open) {
    server.closeAllConnections?.();
    server.close();
  }
  open.clear();
});

async function listening(server: Server, host = '127.0.0.1'): Promise<number> {
  open.add(server);
  await new Promise<void>((opened) => server.listen(0, host, opened));
  return (server.address() as AddressInfo).port;
}
const httpSite = async (answer: RequestListener) =>
  new URL(`http://localhost:${await listening(createServer(answer))}`);
const httpsSite = async (answer: RequestListener, pem: Pem = good) =>
  new URL(`https://localhost:${await listening(createHttpsServer(pem, answer))}`);

const proofFor = (url = '', secret = SECRET) =>
  JSON.stringify({
    proof: proofOf(secret, new URL(url, 'http://localhost').searchParams.get('nonce') ?? ''),
  });
/** Responds like an installation, as seen from outside. */
const installation =
  (secret = SECRET): RequestListener =>
  ({ url }, response) =>
    response.end(proofFor(url, secret));
const leadingTo =
  (to: () => URL, status = 308): RequestListener =>
  ({ url = '' }, response) =>
    response.writeHead(status, { location: new URL(url, to()).href }).end();
const look = (site: URL, plain: URL | null = null) => inspectAddress(site, SECRET, { plainOf: () => plain });
const found = async (answer: RequestListener) => (await look(await httpSite(answer))).found;

describe('address inspection', () => {
  test('finds this installation by https with its certificate, by plain http, and from a split response', async () => {
    const site = await httpsSite(installation());
    expect(await look(site)).toEqual({
      address: site.origin,
      found: 'ours',
      led_to: null,
      ip: '127.0.0.1',
      own: true,
      http: null,
      certificate: {
        valid_until: '2049-01-01T00:00:00.000Z',
        issuer: authority.issuer,
        names: [],
        flaw: null,
      },
    });
    const plain = await look(await httpSite(installation()));
    expect(plain).toMatchObject({ found: 'ours', certificate: null, http: null });
    const inPieces = found(({ url }, response) => {
      const text = proofFor(url);
      response.write(text.slice(0, 9), () => setImmediate(() => response.end(text.slice(9))));
    });
    expect(await inPieces).toBe('ours');
    const port = await listening(createServer(installation()), '127.0.0.2');
    const elsewhere = await look(new URL(`http://127.0.0.2:${port}`));
    expect(elsewhere).toMatchObject({ found: 'ours', ip: '127.0.0.2', own: false });
  });

  test('reports another installation, or a foreign site regardless of its response', async () => {
    expect(await found(installation(randomBytes(32)))).toBe('other_installation');
    const answers: RequestListener[] = [
      (_request, response) => response.end('{"proof":7}'),
      (_request, response) => response.end('null'),
      (_request, response) => response.writeHead(500).end(),
      (_request, response) => response.writeHead(302, { location: '/login' }).end(),
      (_request, response) => response.writeHead(302, { location: 'http://[' }).end(),
      ({ socket }) => socket.destroy(),
      (_request, response) => response.write('{', () => response.destroy()),
    ];
    for (const [place, answer] of answers.entries())
      expect([place, await found(answer)]).toEqual([place, 'not_ours']);
    const noHttp = await listening(createTcpServer((socket) => socket.end('220 posta\r\n')));
    expect((await look(new URL(`http://localhost:${noHttp}`))).found).toBe('not_ours');
  });

  test('reads no more of an endless body than a valid response has', async () => {
    let [sent, ended] = [0, false];
    const endless = found((_request, response) => {
      response.on('close', () => (ended = true));
      const more = (): void => {
        while (!ended && response.write(Buffer.alloc(16_384, ' '))) sent += 16_384;
        if (!ended) response.once('drain', more);
      };
      more();
    });
    expect(await endless).toBe('not_ours');
    // Includes the bytes in socket buffers, which were sent but never read.
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  });

  test('follows redirects to another address, over five others at most', async () => {
    const site = await httpsSite(installation());
    const first = await httpSite(leadingTo(() => site));
    expect(await look(first)).toMatchObject({ found: 'ours', address: first.origin, led_to: site.origin });
    const chain = async (steps: number) => {
      let next = site;
      for (let step = 0; step < steps; step += 1) {
        const to = next;
        next = await httpSite(leadingTo(() => to));
      }
      return (await look(next)).found;
    };
    expect([await chain(5), await chain(6)]).toEqual(['ours', 'redirects']);
    const circle: URL = await httpSite(leadingTo(() => circle));
    expect((await look(circle)).found).toBe('redirects');
    const led = [299, 300, 399, 400].map((status) => found(leadingTo(() => site, status)));
    expect(await Promise.all(led)).toEqual(['not_ours', 'ours', 'ours', 'not_ours']);
    const ways: ((url: URL) => void)[] = [
      (url) => (url.pathname = '/altrove'),
      (url) => (url.search = '?nonce=un-altro'),
      (url) => (url.username = 'anna'),
    ];
    for (const change of ways) {
      const odd = await httpSite(({ url = '' }, response) => {
        const location = new URL(url, site);
        change(location);
        response.writeHead(308, { location: location.href }).end();
      });
      expect(await look(odd)).toMatchObject({ found: 'not_ours', led_to: null });
    }
  });

  test('reports addresses that do not respond', async () => {
    const unreachable = await look(new URL(`http://localhost:${await freePort()}`));
    expect(unreachable).toMatchObject({ found: 'refused', own: true });
    expect(unreachable.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect((await look(new URL('http://nessuno.invalid'))).found).toBe('no_name');
    const mute = await listening(createTcpServer(() => undefined));
    const silent = await inspectAddress(new URL(`http://localhost:${mute}`), SECRET, { timeoutMs: 100 });
    expect(silent.found).toBe('silent');
    const site = await httpSite(installation());
    site.protocol = 'https:';
    expect(await look(site)).toMatchObject({ found: 'no_https', certificate: null });
  });
});

test('reports a bad certificate and still inspects the site', async () => {
  const expired = { name: 'localhost', expired: true };
  for (const [pemOptions, certificateInfo] of [
    [expired, { flaw: 'expired', names: [], valid_until: '2020-02-01T00:00:00.000Z' }],
    [{ name: 'altro.example' }, { flaw: 'other_name', names: ['altro.example'] }],
    [{ name: 'localhost', selfSigned: true }, { flaw: 'self_signed' }],
  ] as const) {
    const site = await httpsSite(installation(), authority.give(pemOptions));
    expect(await look(site)).toMatchObject({ found: 'ours', certificate: certificateInfo });
  }
  const site = await httpsSite(installation());
  // A bad certificate on a redirecting site stops every visitor.
  const first = await httpsSite(
    leadingTo(() => site),
    authority.give(expired),
  );
  expect(await look(first)).toMatchObject({ found: 'ours', certificate: { flaw: 'expired' } });
  setDefaultCACertificates(trusted);
  const seen = await look(site);
  setDefaultCACertificates([...trusted, authority.ca]);
  expect(seen.certificate?.flaw).toBe('untrusted');
});

test('reports if plain http redirects to https, serves the site or is silent', async () => {
  const site = await httpsSite(installation());
  const plain = async (answer: RequestListener) => (await look(site, await httpSite(answer))).http;
  for (const status of [301, 302, 307, 308]) expect(await plain(leadingTo(() => site, status))).toBe('leads');
  const unsafe = await httpSite(installation());
  for (const stays of [
    installation(),
    leadingTo(() => new URL('https://altrove.example')),
    leadingTo(() => unsafe),
  ])
    expect(await plain(stays)).toBe('stays');
  expect((await look(site, new URL(`http://localhost:${await freePort()}`))).http).toBe('silent');
  const plainHref = (address: string) => plainHttpOf(new URL(address))?.href ?? null;
  expect(plainHref('https://sorpresa.example')).toBe('http://sorpresa.example/');
  expect([plainHref('https://sorpresa.example:8443'), plainHref('http://sorpresa.example')]).toEqual([
    null,
    null,
  ]);
});

test('lists the hosts that a nearby phone can reach, the local network first', () => {
  const at = (address: string, internal = false) => {
    const family = address.includes(':') ? ('IPv6' as const) : ('IPv4' as const);
    return { address, internal, family, netmask: '', mac: '', cidr: null, scopeid: 0 };
  };
  const hosts = hostsIn({
    lo: [at('127.0.0.1', true), at('::1', true)],
    docker0: [at('172.17.0.1')],
    tailscale0: [at('100.101.102.103')],
    eth0: [at('203.0.113.9'), at('2001:db8::9')],
    wlan0: [at('fd12:3456::7'), at('192.168.1.7'), at('fe80::7'), at('169.254.3.4')],
  });
  expect(hosts).toEqual(['192.168.1.7', '[fd12:3456::7]', '172.17.0.1', '100.101.102.103']);
});

const shut = { open_to_network: false };
const everywhere = { open_to_network: true };
test.each<[Record<string, string>, Partial<SiteAddress>]>([
  [{}, { public_url: null, reach: 'none', https: false, served: 'plain', port: 3000, ...everywhere }],
  [{ HOST: '127.0.0.1' }, shut],
  [{ HOST: '::1' }, shut],
  [{ HOST: '192.168.1.7' }, everywhere],
  [{ PUBLIC_URL: 'http://localhost:3000' }, { reach: 'machine', ...shut }],
  [{ PUBLIC_URL: 'http://192.168.1.7:3000' }, { reach: 'network', ...everywhere }],
  [
    { PUBLIC_URL: 'https://sorpresa.example', TRUSTED_PROXIES: '127.0.0.1' },
    { reach: 'public', https: true, served: 'proxy', ...shut },
  ],
  [
    { HTTPS_DOMAIN: 'sorpresa.example' },
    { public_url: 'https://sorpresa.example', reach: 'public', https: true, served: 'own_https', ...shut },
  ],
  [{ DATA_DIR: '/srv/sorpresa' }, { data_dir: '/srv/sorpresa', installed: 'checkout' }],
  [{ DATA_DIR: './data' }, { data_dir: null }],
])('derives from %o the site address %o', (env, expected) => {
  expect(siteOf({ env: readEnv(env), sharing: notShared })).toMatchObject(expected);
});

describe('address check by the administrator', () => {
  const { to } = useSignedUp();
  const check = async (address: string) =>
    (await call(to.url, 'POST', '/admin/address/check', { address }, { cookie: to.cookie })).body;

  test('finds this installation, another one, and one that does not know the host name', async () => {
    const read = await call(to.url, 'GET', '/admin/address', undefined, { cookie: to.cookie });
    expect(read.body).toMatchObject({ public_url: null, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    for (const address of [to.url, `${to.url}/`])
      expect(await check(address)).toMatchObject({ address: to.url, found: 'ours' });
    const otherServer = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
    expect(await check(otherServer.url)).toMatchObject({ found: 'other_installation' });
    const unnamed = otherServer.url.replace('127.0.0.1', '0.0.0.0');
    expect(await check(unnamed)).toMatchObject({ found: 'wrong_host' });
    await otherServer.stop();
  });
});

describe('fresh install', () => {
  const ACCOUNT = { email: 'anna@example.org', password: 'una frase molto lunga 7' };

  /** Calls the API as a page opened under this host name. */
  async function askUnder(url: string, host: string, path: string, body?: unknown) {
    const headers = { host, origin: `http://${host}`, 'content-type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const sent = request(`${url}/api${path}`, { method, headers });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await text(response)) };
  }

  test('requires the setup code to register under a host name or another machine’s address if no site address is set', async () => {
    const server = await startServer();
    const { port } = new URL(server.url);
    const named = `evil.example:${port}`;
    const registration = async (host: string) =>
      (await askUnder(server.url, host, '/admin/registration')).body;
    const register = (extra: object) =>
      askUnder(server.url, named, '/auth/sign-up/email', { ...ACCOUNT, ...extra });
    for (const name of [
      'evil.example',
      'nas.local',
      '192.168.1.5',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
    ])
      expect(await registration(`${name}:${port}`), name).toEqual({
        registration_open: true,
        first: true,
        setup_code_required: true,
        restorable: true,
      });
    for (const extra of [{}, { setup_code: 'ABCDEFGH' }]) {
      const refused = await register(extra);
      expect([refused.status, refused.body.codice]).toEqual([403, 'SETUP_CODE_WRONG']);
    }
    for (const name of ['127.0.0.1', 'localhost', '[::1]'])
      expect((await registration(`${name}:${port}`)).setup_code_required, name).toBe(false);
    const setup_code = server.deps.auth.setupCode(named);
    expect(setup_code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    expect((await register({ setup_code })).status).toBe(200);
    expect(await registration(named)).toMatchObject({ first: false, setup_code_required: false });
    await server.stop();
  });

  test.each([undefined, 'http://127.0.0.1:3000'])(
    'reports the site address and if the pages open on registration: %s',
    async (PUBLIC_URL) => {
      const env = PUBLIC_URL === undefined ? undefined : { PUBLIC_URL, REGISTRATION: 'open' };
      const server = await startServer({ ...(env && { env }) });
      const first = async () => ok(await call(server.url, 'GET', '/admin/registration')).body.first;
      expect(await first()).toBe(PUBLIC_URL === undefined);
      const headers = { origin: PUBLIC_URL ?? server.url };
      const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-up/email', ACCOUNT, { headers }));
      expect(await first()).toBe(false);
      expect(ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie })).body).toEqual({
        email: ACCOUNT.email,
        public_url: PUBLIC_URL ?? null,
        unnamed_proxy: null,
        max_video_bytes: 2 * 1024 ** 3,
      });
      await server.stop();
    },
  );
});
