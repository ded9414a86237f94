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
/** A proxy before nodes, with a certificate by an authority of our own, as `ops/` has it. */
export type ReverseProxy = {
  /** What it is known by. */
  ca: string;
  /** Where everything it writes lies. */
  folder: string;
  /** A client that trusts it and finds it under its name, by HTTP/1.1 or HTTP/2; it comes from this address. */
  agent(options?: { localAddress?: string; allowH2?: boolean }): Agent;
  stop(): Promise<void>;
};

type Places = {
  /** Whose the site is; a name that this process alone has to know, if none is given. */
  name?: string;
  /** Where it listens. */
  port: number;
  /** Where the nodes do. */
  nodes: readonly [number, number];
  /** Where the nodes' files lie. */
  media: string;
  /** Whether nginx also serves them under `/plain/` to whoever asks. */
  plain: boolean;
};

/** Starts it; resolves when it answers. From then on whatever this process asks of `https://NAME:PORT` is asked there. */
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
  const agent = ({ localAddress, allowH2 = false }: { localAddress?: string; allowH2?: boolean } = {}) => {
    const from = localAddress === undefined ? {} : { localAddress };
    const made = new Agent({ connect: { ca: authority.ca, lookup }, allowH2, bodyTimeout: 0, ...from });
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
  return { ca: authority.ca, folder, agent, stop };
}

/** There is nothing else by which it says that it listens, and has found a node that is well. */
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
    // Who may read the files: whoever runs the tests.
    ['user sorpresa;', process.getuid?.() === 0 ? 'user root;' : ''],
    ['pid /run/nginx.pid;', `pid ${at('nginx.pid')};`],
    ['error_log /var/log/nginx/error.log warn;', 'error_log stderr warn; daemon off;'],
    ['http {', `http {\n${temporary.map((name) => `${name}_temp_path ${at('tmp')}/${name};`).join('\n')}`],
    ['include /etc/nginx/mime.types;', ''],
    ['server 127.0.0.1:3001 ', `server 127.0.0.1:${nodes[0]} `],
    ['server 127.0.0.1:3002 ', `server 127.0.0.1:${nodes[1]} `],
    // No port of ours: that it leads to https is nothing that two nodes could spoil.
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
    // Neither its port for commands, nor port 80.
    ['\tservers {', '\tadmin off\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n\tservers {'],
    ['127.0.0.1:3001 127.0.0.1:3002', nodes.map((node) => `127.0.0.1:${node}`).join(' ')],
  ]);
  return {
    path: toolPath('proxies', 'caddy'),
    args: ['run', '--config', at('Caddyfile'), '--adapter', 'caddyfile'],
  };
}

/** Copies a file with these changes; each must be of something that is there once, or it isn't the file any more that it was. */
async function changed(from: string, to: string, changes: readonly [string, string][]): Promise<void> {
  let text = await readFile(from, 'utf8');
  for (const [before, after] of changes) {
    if (text.split(before).length !== 2) throw new Error(`${from} does not say once: ${before}`);
    text = text.replace(before, () => after);
  }
  await writeFile(to, text);
}
