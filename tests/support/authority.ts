import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, request } from 'node:https';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toolPath } from '../../scripts/tools.mjs';
import { endWithUs } from './end-with-us.ts';
import { freePort } from './free-port.ts';

/** What goes wrong between the product and the authority, as long as it is switched on. */
export type AuthorityFault =
  | { kind: 'none' }
  /** Connections are cut. */
  | { kind: 'away' }
  /** Orders are answered with «too many», and how long to wait in seconds, or until when. */
  | { kind: 'wait'; retryAfter: string }
  /** The next nonces are such as the authority doesn't know. */
  | { kind: 'old nonces'; left: number };

export type Authority = {
  /** For `ACME_DIRECTORY`. */
  directory: string;
  /** What its own server is known by, to be trusted. */
  ca: string;
  /** Where its names are looked up. */
  dns: string;
  fault: AuthorityFault;
  /** Requests that came so far, refused or not. */
  requests: number;
  /** Orders that came so far. */
  orders: number;
  /** What it has written. */
  log(): string;
  /** What the certificates it gives are known by. */
  root(): Promise<string>;
  /** Where a name leads from now on; without addresses nowhere. */
  lead(name: string, ...addresses: string[]): Promise<void>;
  /** Begins anew: it knows no account and no certificate of before. */
  forget(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * Let's Encrypt's own test server (`pebble`) with a name server for which every name is this machine, and a door before it at which things
 * go wrong. It refuses one nonce in five by itself.
 * @param httpPort where it asks its questions instead of port 80
 * @param seconds how long its certificates are good for
 */
export async function startAuthority({
  httpPort,
  seconds = 90 * 24 * 3_600,
}: {
  httpPort: number;
  seconds?: number;
}): Promise<Authority> {
  const [pebble, names, openssl] = ['pebble', 'pebble-challtestsrv', 'openssl'].map((name) =>
    toolPath('pebble', name),
  );
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-authority-'));
  const at = (name: string) => join(folder, name);
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', at('key.pem'), '-out', at('own.pem')];
  execFileSync(
    openssl,
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...files, ...subject],
    { stdio: 'ignore' },
  );
  const [port, management, dnsPort, dnsManagement] = await Promise.all([
    freePort(),
    freePort(),
    freePort(),
    freePort(),
  ]);
  const config = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${management}`,
    certificate: at('own.pem'),
    privateKey: at('key.pem'),
    httpPort,
    tlsPort: await freePort(),
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    certificateValidityPeriod: seconds,
  };
  await writeFile(at('config.json'), JSON.stringify({ pebble: config }));
  await writeFile(at('log'), '');
  const run = (program: string, args: string[], env: Record<string, string> = {}) => {
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, ...env },
    });
    endWithUs(child);
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => appendFileSync(at('log'), chunk));
    return child;
  };
  const dns = `127.0.0.1:${dnsPort}`;
  const authorityItself = () =>
    run(pebble, ['-config', at('config.json'), '-dnsserver', dns], {
      PEBBLE_VA_NOSLEEP: '1',
      PEBBLE_AUTHZREUSE: '0',
      PEBBLE_WFE_NONCEREJECT: '20',
    });
  const programs = [
    authorityItself(),
    run(names, [
      '-defaultIPv6=',
      '-defaultIPv4=127.0.0.1',
      `-dns01=${dns}`,
      `-management=127.0.0.1:${dnsManagement}`,
      '-http01=',
      '-https01=',
      '-tlsalpn01=',
    ]),
  ];
  const ca = readFileSync(at('own.pem'), 'utf8');
  const own = { ca, host: '127.0.0.1' };
  const isThere = () => answering(() => bodyOf(request({ ...own, port, path: '/dir' }).end()));
  await isThere();
  const name = (path: string, body: object) => {
    const asked = httpRequest({ host: '127.0.0.1', port: dnsManagement, path, method: 'POST' });
    return bodyOf(asked.end(JSON.stringify(body)));
  };
  await answering(() => name('/clear-a', { host: 'nobody.example.' }));

  const sockets = new Set<Socket>();
  const door = createServer({ key: readFileSync(at('key.pem')), cert: ca }, (incoming, outgoing) => {
    authority.requests += 1;
    if (incoming.url === '/order-plz') authority.orders += 1;
    if (refused(incoming, outgoing)) return;
    const { method, headers, url: path } = incoming;
    const onwards = request({ ...own, port, method, headers, path }, (answer) => {
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
  door.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  const doorPort = await freePort();
  door.listen(doorPort, '127.0.0.1');
  await once(door, 'listening');

  const authority: Authority = {
    directory: `https://127.0.0.1:${doorPort}/dir`,
    ca,
    dns,
    fault: { kind: 'none' },
    requests: 0,
    orders: 0,
    log: () => readFileSync(at('log'), 'utf8'),
    root: () => bodyOf(request({ ...own, port: management, path: '/roots/0' }).end()),
    async lead(host, ...addresses) {
      await name('/clear-a', { host: `${host}.` });
      await name(addresses.length === 0 ? '/set-servfail' : '/clear-servfail', { host: `${host}.` });
      if (addresses.length > 0) await name('/add-a', { host: `${host}.`, addresses });
    },
    async forget() {
      await ended(programs.splice(0, 1));
      programs.unshift(authorityItself());
      await isThere();
    },
    async stop() {
      door.close();
      for (const socket of sockets) socket.destroy();
      await ended(programs);
      await rm(folder, { recursive: true, force: true });
    },
  };
  return authority;
}

async function ended(programs: readonly ChildProcess[]): Promise<void> {
  for (const program of programs) {
    const gone = once(program, 'exit');
    program.kill('SIGKILL');
    await gone;
  }
}

/** Asked until it answers: there is nothing else by which a program says that it listens. */
async function answering(ask: () => Promise<string>): Promise<void> {
  for (let times = 0; times < 200; times += 1) {
    const there = await ask().then(
      () => true,
      () => false,
    );
    if (there) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error('The authority did not start.');
}

async function bodyOf(asked: ReturnType<typeof request>): Promise<string> {
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of answer) text += String(chunk);
  return text;
}
