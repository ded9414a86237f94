import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from 'undici';
import { toolPath } from '../../scripts/tools.mjs';
import { ownAuthority } from './certificates.ts';
import { killOnExit } from './kill-on-exit.ts';
import { NAME, type Proxy } from './proxies.ts';

const OPS = resolve(import.meta.dirname, '../../ops');
/** A reverse proxy before nodes, configured as in `ops/`, with a certificate of a test authority. */
export type ReverseProxy = {
  /** A client that trusts the certificate and resolves the name, from this local address. */
  agent(options?: { localAddress?: string }): Agent;
  stop(): Promise<void>;
};

type Places = {
  /** Name of the site; by default one that only this process resolves. */
  name?: string;
  /** Port it listens on. */
  port: number;
  /** Ports of the nodes. */
  nodes: readonly [number, number];
  /** Folder of the nodes' files. */
  media: string;
  /** nginx also serves these files under `/plain/` without access checks. */
  plain: boolean;
};

/**
 * Starts the proxy and resolves when it replies. From then on requests of this process to `https://NAME:PORT` go to it.
 */
export async function startReverseProxy(proxy: Proxy, places: Places): Promise<ReverseProxy> {
  const authority = await ownAuthority();
  const { name = NAME } = places;
  const { key, cert } = authority.give({ name });
  const folder = await mkdtemp(join(tmpdir(), 'sorpresa-front-'));
  const at = (name: string) => join(folder, name);
  await writeFile(at('cert.pem'), cert);
  await writeFile(at('key.pem'), key, { mode: 0o600 });
  await mkdir(at('tmp'));
  const program = proxy === 'nginx' ? await nginx(places, at) : await caddy(places, at);
  const child = spawn(program.path, program.args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  killOnExit(child);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const lookup = ((_name, { all }, found) => {
    if (all) found(null, [{ address: '127.0.0.1', family: 4 }]);
    else found(null, '127.0.0.1', 4);
  }) as LookupFunction;
  const agents: Agent[] = [];
  const agent = (from: { localAddress?: string } = {}) => {
    // With HTTP/2, undici fails every request of a connection if one upload is refused before its end.
    const made = new Agent({
      connect: { ca: authority.ca, lookup },
      allowH2: false,
      bodyTimeout: 0,
      ...from,
    });
    agents.push(made);
    return made;
  };
  const before = getGlobalDispatcher();
  setGlobalDispatcher(agent());
  const stop = async () => {
    setGlobalDispatcher(before);
    await Promise.all(agents.map((each) => each.destroy()));
    const ended = child.exitCode === null ? once(child, 'exit') : null;
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
    await authority.end();
  };
  try {
    await answers(`https://${name}:${places.port}/readyz`, () => child.exitCode === null);
  } catch (error) {
    await stop();
    throw new Error(`${proxy} does not answer:\n${output}`, { cause: error });
  }
  return { agent, stop };
}

/** Polls until the proxy replies and has found a healthy node; it offers no other signal. */
async function answers(url: string, lives: () => boolean): Promise<void> {
  for (let times = 0; times < 200 && lives(); times += 1) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('no answer');
}

type Program = { path: string; args: string[] };

async function nginx({ port, nodes, media, plain }: Places, at: (name: string) => string): Promise<Program> {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  await changed(join(OPS, 'nginx/nginx.conf'), at('nginx.conf'), [
    // The user of the tests must be able to read the files.
    ['user sorpresa;', process.getuid?.() === 0 ? 'user root;' : ''],
    ['pid /run/nginx.pid;', `pid ${at('nginx.pid')};`],
    ['error_log /var/log/nginx/error.log warn;', 'error_log stderr warn; daemon off;'],
    ['http {', `http {\n${temporary.map((name) => `${name}_temp_path ${at('tmp')}/${name};`).join('\n')}`],
    ['include /etc/nginx/mime.types;', ''],
    ['server 127.0.0.1:3001 ', `server 127.0.0.1:${nodes[0]} `],
    ['server 127.0.0.1:3002 ', `server 127.0.0.1:${nodes[1]} `],
    // No TCP port: the redirect to https does not depend on the nodes.
    ['listen 80;', `listen unix:${at('plain.sock')};`],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${port} ssl http2;`],
    ['/etc/ssl/sorpresa/fullchain.pem', at('cert.pem')],
    ['/etc/ssl/sorpresa/privkey.pem', at('key.pem')],
    ['alias /var/lib/sorpresa/media/;', `alias ${media}/;`],
    ['    location /_media/ {', `${plain ? plainFiles(media) : ''}    location /_media/ {`],
  ]);
  return { path: toolPath('proxies', 'nginx'), args: ['-p', at(''), '-c', at('nginx.conf'), '-e', 'stderr'] };
}

const plainFiles = (media: string) =>
  `location /plain/ { alias ${media}/; sendfile on; tcp_nopush on; sendfile_max_chunk 1m; }\n`;

async function caddy({ name = NAME, port, nodes }: Places, at: (name: string) => string): Promise<Program> {
  await changed(join(OPS, 'caddy/Caddyfile'), at('Caddyfile'), [
    ['\nsorpresa.example {', `\nhttps://${name}:${port} {\n\ttls ${at('cert.pem')} ${at('key.pem')}`],
    // Disables the admin port and port 80.
    ['\tservers {', '\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tservers {'],
    ['127.0.0.1:3001 127.0.0.1:3002', nodes.map((node) => `127.0.0.1:${node}`).join(' ')],
  ]);
  return {
    path: toolPath('proxies', 'caddy'),
    args: ['run', '--config', at('Caddyfile'), '--adapter', 'caddyfile'],
  };
}

/**
 * Copies a file with these replacements; throws unless each text occurs exactly once, so that a changed file is
 * noticed.
 */
async function changed(from: string, to: string, changes: readonly [string, string][]): Promise<void> {
  let text = await readFile(from, 'utf8');
  for (const [before, after] of changes) {
    if (text.split(before).length !== 2) throw new Error(`${from} does not say once: ${before}`);
    text = text.replace(before, () => after);
  }
  await writeFile(to, text);
}
