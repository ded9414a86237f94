import { randomBytes } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { SiteAddress } from '../../src/contract/admin/address.ts';
import { readEnv } from '../../src/server/env.ts';
import { lookAt, plainHttpOf } from '../../src/server/features/address/look.ts';
import { proofOf } from '../../src/server/features/address/proof.ts';
import { hostsIn, siteOf } from '../../src/server/features/address/site.ts';
import { ownAuthority, type Pem } from '../support/certificates.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

/** What an address leads to, looked at over real connections: sites of every kind, on this machine. */

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

async function listening(server: Server): Promise<number> {
  open.add(server);
  await new Promise<void>((there) => server.listen(0, '127.0.0.1', there));
  return (server.address() as AddressInfo).port;
}

const httpSite = async (answer: RequestListener) =>
  new URL(`http://localhost:${await listening(createServer(answer))}`);
const httpsSite = async (answer: RequestListener, pem: Pem = good) =>
  new URL(`https://localhost:${await listening(createHttpsServer(pem, answer))}`);

/** An installation, as far as anybody can see from outside. */
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
const look = (site: URL, plain: URL | null = null) => lookAt(site, SECRET, { plainOf: () => plain });

describe('an address leads', () => {
  test('to this installation, by https, with its certificate', async () => {
    const site = await httpsSite(installation());
    expect(await look(site)).toEqual({
      address: site.origin,
      found: 'ours',
      led_to: null,
      ip: '127.0.0.1',
      own: true,
      certificate: {
        valid_until: '2049-01-01T00:00:00.000Z',
        issuer: authority.issuer,
        names: [],
        flaw: null,
      },
      http: null,
    });
  });

  test('to this installation, plainly', async () => {
    const site = await httpSite(installation());
    expect(await look(site)).toMatchObject({ found: 'ours', certificate: null, http: null });
  });

  test('to another installation', async () => {
    const site = await httpSite(installation(randomBytes(32)));
    expect((await look(site)).found).toBe('other_installation');
  });

  test('to something else, whatever it says', async () => {
    const answers: RequestListener[] = [
      (_asked, response) => response.end('<h1>Benvenuto</h1>'),
      (_asked, response) => response.end('{"proof":7}'),
      (_asked, response) => response.end('null'),
      (_asked, response) => response.writeHead(500).end(),
      (_asked, response) => response.writeHead(302, { location: '/login' }).end(),
      (_asked, response) => response.writeHead(302, { location: 'http://[' }).end(),
      (_asked, response) => response.writeHead(302, { location: 'ftp://localhost/' }).end(),
      ({ socket }) => socket.destroy(),
      (_asked, response) => response.write('{', () => response.destroy()),
    ];
    for (const [place, answer] of answers.entries())
      expect([place, (await look(await httpSite(answer))).found]).toEqual([place, 'not_ours']);
    const noHttp = await listening(createTcpServer((socket) => socket.end('220 posta\r\n')));
    expect((await look(new URL(`http://localhost:${noHttp}`))).found).toBe('not_ours');
  });

  test('to a body without an end: no more of it is read than an answer of ours has', async () => {
    let [sent, ended] = [0, false];
    const site = await httpSite((_asked, response) => {
      response.on('close', () => (ended = true));
      const more = (): void => {
        while (!ended && response.write(Buffer.alloc(16_384, ' '))) sent += 16_384;
        if (!ended) response.once('drain', more);
      };
      more();
    });
    expect((await look(site)).found).toBe('not_ours');
    // What lies in the sockets' buffers was sent, and read by nobody.
    expect(sent).toBeLessThan(16 * 1024 ** 2);
  });

  test('on and on', async () => {
    const site: URL = await httpSite(leadingTo(() => site));
    expect((await look(site)).found).toBe('redirects');
  });

  test('to another address, where the installation is', async () => {
    const site = await httpsSite(installation());
    const first = await httpSite(leadingTo(() => site));
    expect(await look(first)).toMatchObject({ found: 'ours', address: first.origin, led_to: site.origin });
  });

  test('over five others, and over no more', async () => {
    const chain = async (steps: number) => {
      let site = await httpSite(installation());
      for (let step = 0; step < steps; step += 1) {
        const next = site;
        site = await httpSite(leadingTo(() => next));
      }
      return (await look(site)).found;
    };
    expect([await chain(5), await chain(6)]).toEqual(['ours', 'redirects']);
  });

  test.each([
    [299, 'not_ours'],
    [300, 'ours'],
    [399, 'ours'],
    [400, 'not_ours'],
  ])('elsewhere by an answer of %i: %s', async (status, found) => {
    const site = await httpSite(installation());
    expect((await look(await httpSite(leadingTo(() => site, status)))).found).toBe(found);
  });

  test('nowhere where it is another path, another question or somebody’s name that it leads to', async () => {
    const site = await httpSite(installation());
    const ways: ((url: URL) => void)[] = [
      (url) => (url.pathname = '/altrove'),
      (url) => (url.search = '?nonce=un-altro'),
      (url) => (url.username = 'anna'),
    ];
    for (const change of ways) {
      const first = await httpSite(({ url = '' }, response) => {
        const location = new URL(url, site);
        change(location);
        response.writeHead(308, { location: location.href }).end();
      });
      expect(await look(first)).toMatchObject({ found: 'not_ours', led_to: null });
    }
  });

  test('to an answer that comes in pieces', async () => {
    const site = await httpSite(({ url = '' }, response) => {
      const nonce = new URL(url, 'http://localhost').searchParams.get('nonce') ?? '';
      const text = JSON.stringify({ proof: proofOf(SECRET, nonce) });
      response.write(text.slice(0, 9), () => setImmediate(() => response.end(text.slice(9))));
    });
    expect((await look(site)).found).toBe('ours');
  });

  test('to another machine’s address, which isn’t this one’s own', async () => {
    const { port } = await httpSite(installation());
    expect(await look(new URL(`http://127.0.0.1:${port}`))).toMatchObject({ found: 'ours', own: true });
    const other = createServer(installation());
    open.add(other);
    await new Promise<void>((there) => other.listen(0, '127.0.0.2', there));
    const address = new URL(`http://127.0.0.2:${(other.address() as AddressInfo).port}`);
    expect(await look(address)).toMatchObject({ found: 'ours', ip: '127.0.0.2', own: false });
  });

  test('to nobody', async () => {
    const nobody = await look(new URL(`http://localhost:${await freePort()}`));
    expect(nobody).toMatchObject({ found: 'refused', own: true });
    expect(nobody.ip).toMatch(/^(127\.0\.0\.1|::1)$/);
    expect((await look(new URL('http://nessuno.invalid'))).found).toBe('no_name');
    const mute = await listening(createTcpServer(() => undefined));
    const silent = await lookAt(new URL(`http://localhost:${mute}`), SECRET, { patienceMs: 100 });
    expect(silent.found).toBe('silent');
  });

  test('to somebody who knows no https', async () => {
    const site = await httpSite(installation());
    site.protocol = 'https:';
    expect(await look(site)).toMatchObject({ found: 'no_https', certificate: null });
  });
});

describe('a certificate that isn’t good', () => {
  test.each([
    [
      { name: 'localhost', expired: true },
      { flaw: 'expired', names: [], valid_until: '2020-02-01T00:00:00.000Z' },
    ],
    [{ name: 'altro.example' }, { flaw: 'other_name', names: ['altro.example'] }],
    [{ name: 'localhost', selfSigned: true }, { flaw: 'self_signed' }],
  ] as const)('is told, and the rest is found all the same: %o', async (wanted, told) => {
    const site = await httpsSite(installation(), authority.give(wanted));
    expect(await look(site)).toMatchObject({ found: 'ours', certificate: told });
  });

  test('by nobody who is trusted', async () => {
    setDefaultCACertificates(trusted);
    const seen = await look(await httpsSite(installation()));
    setDefaultCACertificates([...trusted, authority.ca]);
    expect(seen.certificate?.flaw).toBe('untrusted');
  });

  test('on the way to a good one stops everybody', async () => {
    const site = await httpsSite(installation());
    const first = await httpsSite(
      leadingTo(() => site),
      authority.give({ name: 'localhost', expired: true }),
    );
    expect(await look(first)).toMatchObject({ found: 'ours', certificate: { flaw: 'expired' } });
  });
});

test('plain http leads to https, stays, or is silent', async () => {
  const site = await httpsSite(installation());
  const plain = async (answer: RequestListener) => (await look(site, await httpSite(answer))).http;
  for (const status of [301, 302, 307, 308]) expect(await plain(leadingTo(() => site, status))).toBe('leads');
  expect(await plain(installation())).toBe('stays');
  expect(await plain(leadingTo(() => new URL('https://altrove.example')))).toBe('stays');
  const unsafe = await httpSite(installation());
  expect(await plain(leadingTo(() => unsafe))).toBe('stays');
  expect((await look(site, new URL(`http://localhost:${await freePort()}`))).http).toBe('silent');
});

test.each([
  ['https://sorpresa.example', 'http://sorpresa.example/'],
  ['https://sorpresa.example:8443', null],
  ['http://sorpresa.example', null],
])('beside %s plain http is expected at %s', (site, plain) => {
  expect(plainHttpOf(new URL(site))?.href ?? null).toBe(plain);
});

test('this machine’s hosts: those of its own network first, and none that a phone beside it can’t reach', () => {
  const at = (address: string, internal = false) => ({
    address,
    internal,
    family: address.includes(':') ? ('IPv6' as const) : ('IPv4' as const),
    netmask: '',
    mac: '',
    cidr: null,
    scopeid: 0,
  });
  expect(
    hostsIn({
      lo: [at('127.0.0.1', true), at('::1', true)],
      docker0: [at('172.17.0.1')],
      tailscale0: [at('100.101.102.103')],
      eth0: [at('203.0.113.9'), at('2001:db8::9')],
      wlan0: [at('fd12:3456::7'), at('192.168.1.7'), at('fe80::7'), at('169.254.3.4')],
    }),
  ).toEqual(['192.168.1.7', '[fd12:3456::7]', '172.17.0.1', '100.101.102.103']);
});

describe('where the site is found', () => {
  const site = (env: Record<string, string>) => siteOf(readEnv(env));

  test.each<[Record<string, string>, Partial<SiteAddress>]>([
    [
      {},
      { public_url: null, reach: 'none', https: false, served: 'plain', port: 3000, open_to_network: true },
    ],
    [{ HOST: '127.0.0.1' }, { open_to_network: false }],
    [{ HOST: '::1' }, { open_to_network: false }],
    [{ HOST: '::' }, { open_to_network: true }],
    [{ HOST: '192.168.1.7' }, { open_to_network: true }],
    [{ PUBLIC_URL: 'http://localhost:3000' }, { reach: 'machine', open_to_network: false }],
    [{ PUBLIC_URL: 'http://192.168.1.7:3000' }, { reach: 'network', open_to_network: true }],
    [
      { PUBLIC_URL: 'https://sorpresa.example', TRUSTED_PROXIES: '127.0.0.1' },
      { reach: 'public', https: true, served: 'proxy', open_to_network: false },
    ],
    [
      { HTTPS_DOMAIN: 'sorpresa.example' },
      {
        public_url: 'https://sorpresa.example',
        reach: 'public',
        https: true,
        served: 'own_https',
        open_to_network: false,
      },
    ],
    [{ DATA_DIR: '/srv/sorpresa' }, { data_dir: '/srv/sorpresa', installed: 'checkout' }],
    [{ DATA_DIR: './data' }, { data_dir: null }],
  ])('%o: %o', (env, expected) => {
    expect(site(env)).toMatchObject(expected);
  });
});

describe('the administrator', () => {
  let ours: TestServer;
  let cookie: string;
  beforeAll(async () => {
    ours = await startServer();
    cookie = await signUp(ours);
  });
  afterAll(() => ours.stop());
  const check = (address: string) => call(ours.url, 'POST', '/admin/address/check', { address }, { cookie });

  test('looks at the installation, and finds it', async () => {
    const read = await call(ours.url, 'GET', '/admin/address', undefined, { cookie });
    expect(read.body).toMatchObject({ public_url: null, version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect((await check(ours.url)).body).toMatchObject({ address: ours.url, found: 'ours' });
    expect((await check(`${ours.url}/`)).body).toMatchObject({ address: ours.url, found: 'ours' });
  });

  test('is told of another one, and of one that doesn’t know the name', async () => {
    const theirs = await startServer({ env: { PUBLIC_URL: 'https://sorpresa.example' } });
    expect((await check(theirs.url)).body).toMatchObject({ found: 'other_installation' });
    const unnamed = theirs.url.replace('127.0.0.1', '0.0.0.0');
    expect((await check(unnamed)).body).toMatchObject({ found: 'wrong_host' });
    await theirs.stop();
  });

  test.each([
    'sorpresa.example',
    'ftp://sorpresa.example',
    'https://a:b@sorpresa.example',
    'https://sorpresa.example/admin',
    'https://sorpresa.example?x',
    'https://',
    'http://[',
    `https://${'a.'.repeat(150)}example`,
  ])('can’t look at «%s»', async (address) => {
    const { status, body } = await check(address);
    expect([status, body.codice]).toEqual([400, 'BAD_INPUT']);
  });

  test.each(['', 'troppo-corto', 'x'.repeat(23), '../'.repeat(7)])('gets no proof of «%s»', async (nonce) => {
    const asked = await call(ours.url, 'GET', `/site/proof?nonce=${encodeURIComponent(nonce)}`);
    expect(asked.status).toBe(400);
  });
});
