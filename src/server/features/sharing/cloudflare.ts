import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { findProgram, outputOf } from './programs.ts';
import { type Provider, type Report, type Tunnel, TunnelFailure } from './tunnel.ts';

/** Release to download, with the SHA-256 of each file as its release page states it. */
const VERSION = '2026.8.2';
const FILES: Record<string, { name: string; sha256: string }> = {
  'linux-x64': {
    name: 'cloudflared-linux-amd64',
    sha256: 'fcfb02b575a52ca1af2e3267af4e1517bcdeb30ac48c834c69abaed3c0576ad2',
  },
  'linux-arm64': {
    name: 'cloudflared-linux-arm64',
    sha256: '7747d94570fb390cf47dcb4f9555c193c6355cda9793f0d878d9049e5d6a7790',
  },
  'darwin-x64': {
    name: 'cloudflared-darwin-amd64.tgz',
    sha256: 'f1727723c586500e2092368ae21871b3df7ddfd2cb097f22d81bee4a9c458bb4',
  },
  'darwin-arm64': {
    name: 'cloudflared-darwin-arm64.tgz',
    sha256: '9042c2c5d8b2de78e60f313d5fb31b6c5c1cebde787a3caf1f2c9588084ac442',
  },
  'win32-x64': {
    name: 'cloudflared-windows-amd64.exe',
    sha256: 'c29eee2b121f5436a642eed69fd9767da7e7b8c510fa50aaa130337f931357b5',
  },
};
const RELEASES = 'https://github.com/cloudflare/cloudflared/releases/download';
/** Download timeout in ms: 55 MB on a slow connection. */
const FETCH_MS = 15 * 60_000;

/** Timeout for the first address, in ms. */
const ADDRESS_TIMEOUT_MS = 60_000;
/** Timeout for a connection over UDP (port 7844) before TCP is used, in ms. */
const UDP_MS = 40_000;
const END_MS = 5_000;

const ownProgram = (folder: string) => join(folder, `cloudflared${platform() === 'win32' ? '.exe' : ''}`);
const fileHere = () => FILES[`${platform()}-${arch()}`];

/** Returns true if a program for this machine can be downloaded. */
export const canFetch = (): boolean => fileHere() !== undefined;

/**
 * Downloads the program into a folder. A file with another checksum is deleted and never run.
 * @param from base address of the releases; tests set it
 * @throws {TunnelFailure} `download`, `checksum`
 */
export async function fetchCloudflared(
  folder: string,
  signal: AbortSignal,
  { from = RELEASES, file = fileHere() } = {},
): Promise<void> {
  if (file === undefined) throw new TunnelFailure('download', 'no file for this machine');
  await mkdir(folder, { recursive: true });
  const part = join(folder, file.name);
  try {
    const answer = await fetch(`${from}/${VERSION}/${file.name}`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]),
    });
    if (!answer.ok || answer.body === null) throw new TunnelFailure('download', String(answer.status));
    await pipeline(Readable.fromWeb(answer.body), createWriteStream(part, { mode: 0o600 }));
    const hash = createHash('sha256');
    await pipeline(createReadStream(part), hash);
    if (hash.digest('hex') !== file.sha256) throw new TunnelFailure('checksum');
    // These arguments suit bsdtar and GNU tar; macOS has bsdtar.
    if (part.endsWith('.tgz')) await outputOf('tar', '-xzf', part, '-C', folder);
    else await rename(part, ownProgram(folder));
    await chmod(ownProgram(folder), 0o700);
  } catch (error) {
    throw error instanceof TunnelFailure ? error : new TunnelFailure('download', String(error));
  } finally {
    await rm(part, { force: true });
  }
}

/** A quick tunnel: no account, and another name at each start. */
export const cloudflare: Provider = {
  name: 'cloudflare',
  keepsAddress: false,
  async find(folder) {
    const path = findProgram('cloudflared', ownProgram(folder));
    return path === null ? null : { path };
  },
  async start({ path }, { port, folder, say }) {
    const first = begin(path, { port, folder, say, protocol: [] });
    const isLinked = await settledIn(first.linked, UDP_MS);
    // Some networks block outgoing UDP: start again over TCP, with another name.
    if (!isLinked) await first.stop();
    const last = isLinked ? first : begin(path, { port, folder, say, protocol: ['--protocol', 'http2'] });
    if (!isLinked) await settledIn(last.linked, UDP_MS);
    // Not earlier: a DNS query before the name exists can be answered with "no such name" for half an hour.
    try {
      say({ address: await last.address });
    } catch (error) {
      await last.stop();
      throw error;
    }
    return last;
  },
};

type TunnelOptions = { port: number; folder: string; say(report: Report): void; protocol: string[] };

type StartedTunnel = Tunnel & { address: Promise<string>; linked: Promise<void> };

/** Starts the program. `linked` resolves once it is connected, or has ended after giving its address. It rejects if no address comes. */
function begin(path: string, { port, folder, say, protocol }: TunnelOptions): StartedTunnel {
  const args = ['tunnel', '--no-autoupdate', ...protocol, '--url', `http://127.0.0.1:${port}`];
  // A user's own configuration would override the quick tunnel.
  const env = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    HOME: folder,
    USERPROFILE: folder,
  };
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], env, windowsHide: true });
  if (child.pid !== undefined) say({ child: child.pid });
  const hasAddress = Promise.withResolvers<string>();
  const isLinked = Promise.withResolvers<void>();
  const deadline = setTimeout(() => hasAddress.reject(new TunnelFailure('no_address')), ADDRESS_TIMEOUT_MS);
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => {
      const [, address] = /\|\s+(https?:\/\/\S+)\s+\|/.exec(line) ?? [];
      if (address?.startsWith('http:')) hasAddress.reject(new TunnelFailure('not_https', address));
      else if (address !== undefined && URL.canParse(address)) hasAddress.resolve(new URL(address).origin);
      if (line.includes('Registered tunnel connection')) isLinked.resolve();
    });
  const ended = new Promise<Awaited<Tunnel['ended']>>((resolve) => {
    child.on('error', () => resolve('program'));
    child.on('close', () => resolve('ended'));
  });
  void ended.then((trouble) => hasAddress.reject(new TunnelFailure(trouble ?? 'ended')));
  const stop = async () => {
    child.kill();
    if (!(await settledIn(ended, END_MS))) child.kill('SIGKILL');
    await ended;
  };
  const linked = hasAddress.promise
    .finally(() => clearTimeout(deadline))
    .then(() => Promise.race([isLinked.promise, ended]))
    .then(() => undefined)
    .catch(async (error: unknown) => {
      await stop();
      throw error;
    });
  return { address: hasAddress.promise, linked, ended, stop };
}

/** Returns true if `work` resolves within `ms`; rejects if it rejects. */
async function settledIn(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  return Promise.race([work.then(() => true), deadline]).finally(() => clearTimeout(timer));
}
