import { type ChildProcess, spawn } from 'node:child_process';
import { getServers, setServers } from 'node:dns';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http';
import { createServer, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates, connect as tlsConnect } from 'node:tls';
import { vi } from 'vitest';
import { toolPath } from '../../scripts/tools.mjs';
import type { CertificateState } from '../../src/contract/admin/site-address.ts';
import { freePort } from './free-port.ts';
import { killOnExit, killProgram } from './kill-on-exit.ts';
import { selfSigned } from './mail-server.ts';
import { startServer, type TestServer } from './server.ts';

export const NAME = 'sera.example';

/**
 * A certificate authority that this process trusts, with its name server, and the ports of the product that uses it.
 */
export type HttpsFixture = {
  authority: Authority;
  /** Root certificate of the issued certificates. */
  root: string;
  httpPort: number;
  httpsPort: number;
  /** The settings of a product with its own HTTPS. */
  env: Record<string, string>;
  end(): Promise<void>;
};

export async function httpsFixture({ seconds }: { seconds?: number } = {}): Promise<HttpsFixture> {
  const httpPort = await freePort(2);
  const httpsPort = httpPort + 1;
  const authority = await startAuthority(httpPort, seconds);
  return {
    authority,
    root: await authority.root(),
    httpPort,
    httpsPort,
    env: {
      HTTPS_DOMAIN: NAME,
      HTTPS_EMAIL: 'anna@example.org',
      HTTP_PORT: String(httpPort),
      HTTPS_PORT: String(httpsPort),
      PUBLIC_URL: `https://${NAME}:${httpsPort}`,
      ACME_DIRECTORY: authority.directory,
    },
    end: authority.stop,
  };
}

/** A clock that follows the real one, ahead by the advanced time. */
export function movableClock() {
  let ahead = 0;
  return { now: () => new Date(Date.now() + ahead), advance: (ms: number) => void (ahead += ms) };
}

export type HttpsServer = TestServer & {
  state(): CertificateState;
  /** Runs the check that runs every minute; resolves when its requests are done. */
  look(): Promise<CertificateState>;
};

/** Starts the product with its own HTTPS; resolves after the first certificate request. */
export async function startHttpsServer(
  { env }: Pick<HttpsFixture, 'env'>,
  { more = {}, ...options }: { more?: Record<string, string>; dataDir?: string; now?: () => Date } = {},
): Promise<HttpsServer> {
  const server = await startServer({ env: { ...env, ...more }, ...options });
  const { certificate } = server.deps;
  if (certificate === null) throw new Error('no https');
  const look = async () => {
    await certificate.look(null);
    return certificate.state();
  };
  await look();
  return { ...server, state: () => certificate.state(), look };
}

/** A reply. */
export type HttpsReply = { status: number | undefined; headers: IncomingMessage['headers']; bytes: Buffer };

type HttpsOptions = Omit<RequestOptions, 'headers'> & { headers?: OutgoingHttpHeaders; body?: string };

/**
 * Opens one HTTPS request to this machine under the site's name; the body is not read. Rejects if the certificate is
 * not the authority's.
 */
export function openHttps(
  { httpsPort, root }: HttpsFixture,
  options: HttpsOptions = {},
): Promise<IncomingMessage> {
  const to = { port: httpsPort, servername: NAME, ca: root };
  return open(request, { ...to, ...options, headers: { host: `${NAME}:${httpsPort}`, ...options.headers } });
}

/** Sends an HTTPS request and reads its reply completely. */
export const askHttps = async (fixture: HttpsFixture, options: HttpsOptions = {}): Promise<HttpsReply> =>
  readReply(await openHttps(fixture, options));

/** Sends a plain HTTP request and reads its reply completely. */
export async function askHttp(
  { httpPort }: Pick<HttpsFixture, 'httpPort'>,
  options: HttpsOptions = {},
): Promise<HttpsReply> {
  const headers = { host: NAME, ...options.headers };
  return readReply(await open(httpRequest, { port: httpPort, ...options, headers }));
}

async function open(send: typeof request, { body, ...options }: HttpsOptions): Promise<IncomingMessage> {
  const asked = send({ host: '127.0.0.1', agent: false, ...options });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return answer;
}

async function readReply(answer: IncomingMessage): Promise<HttpsReply> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

/** Returns the serial number of the certificate served for a name, or the result of the failed handshake. */
export async function servedAs(
  { httpsPort }: Pick<HttpsFixture, 'httpsPort'>,
  servername: string | undefined,
): Promise<string> {
  const socket = tlsConnect({
    host: '127.0.0.1',
    port: httpsPort,
    rejectUnauthorized: false,
    ...(servername === undefined ? {} : { servername }),
  });
  try {
    await once(socket, 'secureConnect');
    return socket.getPeerCertificate().serialNumber;
  } catch (error) {
    return `refused: ${(error as NodeJS.ErrnoException).code}`;
  } finally {
    socket.destroy();
  }
}

/** Fault between the product and the authority, until it is switched off. */
type AuthorityFault =
  | { kind: 'none' }
  /** Connections are cut. */
  | { kind: 'away' }
  /** Orders are refused as too many, with the wait in seconds or a date. */
  | { kind: 'wait'; retryAfter: string }
  /** The next nonces are unknown to the authority. */
  | { kind: 'old nonces'; left: number };

type Authority = {
  /** For `ACME_DIRECTORY`. */
  directory: string;
  fault: AuthorityFault;
  /** Number of requests, refused ones included. */
  requests: number;
  /** Number of orders. */
  orders: number;
  /** Returns the root certificate of the issued certificates. */
  root(): Promise<string>;
  /** Sets the addresses of a name; without addresses the lookup fails. */
  lead(name: string, ...addresses: string[]): Promise<void>;
  /** Restarts without its accounts and certificates. */
  forget(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Starts Let's Encrypt's own test server (`pebble`), a name server that resolves every name to this machine, and a
 * proxy that injects faults. This process trusts all of them. Pebble itself refuses one nonce in five.
 * @param httpPort port of its challenges, instead of 80
 * @param seconds validity of its certificates
 */
async function startAuthority(httpPort: number, seconds = 90 * 24 * 3_600): Promise<Authority> {
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-authority-'));
  const at = (name: string) => join(folder, name);
  const own = selfSigned();
  const [trusted, servers] = [getCACertificates('default'), getServers()];
  setDefaultCACertificates([...trusted, own.cert]);
  await writeFile(at('key.pem'), own.key);
  await writeFile(at('own.pem'), own.cert);
  const port = await freePort(6);
  const [management, dnsManagement, proxyPort] = [port + 1, port + 2, port + 3];
  const dns = `127.0.0.1:${port + 4}`;
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at('own.pem'),
    privateKey: at('key.pem'),
    httpPort,
    tlsPort: port + 5,
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    certificateValidityPeriod: seconds,
  };
  await writeFile(at('config.json'), JSON.stringify({ pebble }));
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const options = { stdio: 'ignore', env: { PATH: process.env.PATH, ...env } } as const;
    const child = spawn(toolPath('pebble', program), args, options);
    killOnExit(child);
    return child;
  };
  const directory = `https://127.0.0.1:${port}/dir`;
  const startItself = async () => {
    const env = { PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0', PEBBLE_WFE_NONCEREJECT: '20' };
    itself = run('pebble', ['-config', at('config.json'), '-dnsserver', dns], env);
    await vi.waitFor(() => fetch(directory), STARTED);
  };
  const off = ['-http01=', '-https01=', '-tlsalpn01=', '-defaultIPv6='];
  const names = run('pebble-challtestsrv', [
    ...off,
    '-defaultIPv4=127.0.0.1',
    `-dns01=${dns}`,
    `-management=127.0.0.1:${dnsManagement}`,
  ]);
  const name = async (path: string, body: object) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    await (await fetch(`http://127.0.0.1:${dnsManagement}${path}`, init)).text();
  };
  let itself: ChildProcess;
  await startItself();
  await vi.waitFor(() => name('/clear-a', { host: 'nobody.example.' }), STARTED);
  setServers([dns]);

  const faultProxy = createServer(own, (incoming, outgoing) => {
    authority.requests += 1;
    if (incoming.url === '/order-plz') authority.orders += 1;
    if (refused(incoming, outgoing)) return;
    const { method, headers, url: path } = incoming;
    const onwards = request({ host: '127.0.0.1', port, method, headers, path }, (answer) => {
      const { fault } = authority;
      if (fault.kind === 'old nonces' && fault.left > 0 && answer.headers['replay-nonce'] !== undefined) {
        fault.left -= 1;
        answer.headers['replay-nonce'] = 'bm9ib2R5IGtub3dzIGl0';
      }
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onwards.on('error', () => outgoing.destroy());
    incoming.pipe(onwards);
  });
  function refused(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const { fault } = authority;
    if (fault.kind === 'away') {
      incoming.socket.destroy();
      return true;
    }
    if (fault.kind !== 'wait' || incoming.url !== '/order-plz') return false;
    const type = 'urn:ietf:params:acme:error:rateLimited';
    const headers = { 'Content-Type': 'application/problem+json', 'Retry-After': fault.retryAfter };
    outgoing.writeHead(429, headers).end(JSON.stringify({ type, detail: 'too many', status: 429 }));
    return true;
  }
  faultProxy.listen(proxyPort, '127.0.0.1');
  await once(faultProxy, 'listening');

  const authority: Authority = {
    directory: `https://127.0.0.1:${proxyPort}/dir`,
    fault: { kind: 'none' },
    requests: 0,
    orders: 0,
    root: async () => (await fetch(`https://127.0.0.1:${management}/roots/0`)).text(),
    async lead(host, ...addresses) {
      await name('/clear-a', { host: `${host}.` });
      await name(addresses.length === 0 ? '/set-servfail' : '/clear-servfail', { host: `${host}.` });
      if (addresses.length > 0) await name('/add-a', { host: `${host}.`, addresses });
    },
    async forget() {
      await killProgram(itself);
      await startItself();
    },
    async stop() {
      faultProxy.close();
      faultProxy.closeAllConnections();
      for (const program of [itself, names]) await killProgram(program);
      setDefaultCACertificates(trusted);
      setServers(servers);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return authority;
}

/** Limit of a start, in ms. */
const STARTED = { timeout: 10_000, interval: 25 };
