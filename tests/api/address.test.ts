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

/** Responds like an installation, as seen from outside. */
const installation =
  (secret = SECRET): RequestListener =>
  ({ url = '' }, response) => {
    const nonce = new URL(url, 'http://localhost').searchParams.get('nonce') ?? '';
    response.end(JSON.stringify({ proof: proofOf(secret, nonce) }));
  };
const leadingTo =
  (to: () => URL, status = 308): RequestListener =>
  ({ url = '' }, response) =>
    response.writeHead(status, { location: new URL(url, to()).href }).end();
const look = (site: URL, plain: URL | null = null) => inspectAddress(site, SECRET, { plainOf: () => plain });
const found = async (answer: RequestListener) => (await look(await httpSite(answer))).found;

describe('address inspection', () => {
  test('finds this installation by https with its certificate, and by plain http', async () => {
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
    const port = await listening(createServer(installation()), '127.0.0.2');
    const elsewhere = await look(new URL(`http://127.0.0.2:${port}`));
    expect(elsewhere).toMatchObject({ found: 'ours', ip: '127.0.0.2', own: false });
  });

  test('reports another installation, or a foreign site regardless of its response', async () => {
    expect(await found(installation(randomBytes(32)))).toBe('other_installation');
    const answers: RequestListener[] = [
      (_request, response) => response.end('{"proof":7}'),
      (_request, response) => response.writeHead(302, { location: 'http://[' }).end(),
      ({ socket }) => socket.destroy(),
      (_request, response) => response.write('{', () => response.destroy()),
    ];
    for (const [place, answer] of answers.entries())
      expect([place, await found(answer)]).toEqual([place, 'not_ours']);
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
    const led = [299, 300, 399, 400].map((status) => found(leadingTo(() => site, status)));
    expect(await Promise.all(led)).toEqual(['not_ours', 'ours', 'ours', 'not_ours']);
    for (const change of [{ pathname: '/altrove' }, { search: '?nonce=un-altro' }, { username: 'anna' }]) {
      const odd = await httpSite(({ url = '' }, response) => {
        const location = new URL(url, site);
        Object.assign(location, change);
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
  expect(await plain(leadingTo(() => site))).toBe('leads');
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
    const open = { registration_open: true, first: true, restorable: true };
    for (const host of [named, `192.168.1.5:${port}`])
      expect(await registration(host)).toEqual({ ...open, setup_code_required: true });
    expect(await registration(`localhost:${port}`)).toEqual({ ...open, setup_code_required: false });
    for (const extra of [{}, { setup_code: 'ABCDEFGH' }]) {
      const refused = await register(extra);
      expect([refused.status, refused.body.codice]).toEqual([403, 'SETUP_CODE_WRONG']);
    }
    const setup_code = server.deps.auth.setupCode(named);
    expect(setup_code).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    expect((await register({ setup_code })).status).toBe(200);
    expect(await registration(named)).toMatchObject({ first: false, setup_code_required: false });
    await server.stop();
  });

  test('reports the site address and the limit of films, and that an open registration is not the first', async () => {
    const PUBLIC_URL = 'http://127.0.0.1:3000';
    const server = await startServer({ env: { PUBLIC_URL, REGISTRATION: 'open' } });
    expect(ok(await call(server.url, 'GET', '/admin/registration')).body.first).toBe(false);
    const headers = { origin: PUBLIC_URL };
    const { cookie } = ok(await call(server.url, 'POST', '/auth/sign-up/email', ACCOUNT, { headers }));
    const { body } = ok(await call(server.url, 'GET', '/admin/me', undefined, { cookie }));
    expect(body).toMatchObject({ public_url: PUBLIC_URL, max_video_bytes: 2 * 1024 ** 3 });
    await server.stop();
  });
});
