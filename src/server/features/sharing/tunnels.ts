/** The services that connect the Internet with a port of this machine: a Cloudflare quick tunnel and Tailscale's Funnel. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { SharingTrouble, TunnelName } from '../../../contract/admin/site-address.ts';
import { findProgram, outputOf } from './programs.ts';

/** A tunnel's program on this machine. */
type Program = { path: string; [detail: string]: string };

/** Progress of a tunnel. */
export type Report = {
  address?: string;
  /** Address at which the account must first allow the tunnel. */
  enable?: string;
  /** Id of the tunnel's process; absent if a system service runs it. */
  child?: number;
};

/** A running tunnel. */
export type Tunnel = {
  /** Resolves when the tunnel has ended, with its trouble or null. */
  ended: Promise<SharingTrouble | null>;
  stop(): Promise<void>;
};

/** `port` is on the loopback address; `folder` may contain a downloaded program. */
type TunnelOptions = { port: number; folder: string; say(report: Report): void };

export type Provider = {
  name: TunnelName;
  keepsAddress: boolean;
  /** Returns its program if it is ready for use, or null. */
  find(folder: string): Promise<Program | null>;
  /** Starts the tunnel and reports its progress. Rejects with a `TunnelFailure`. */
  start(program: Program, options: TunnelOptions): Promise<Tunnel>;
};

export class TunnelFailure extends Error {
  readonly trouble: SharingTrouble;
  constructor(trouble: SharingTrouble, detail = '') {
    super(`${trouble} ${detail}`.trim());
    this.trouble = trouble;
  }
}

/** Release of cloudflared to download, with the SHA-256 of each file as its release page states it. */
const VERSION = '2026.8.2';
const CHECKSUMS: Readonly<Record<string, string>> = {
  'cloudflared-linux-amd64': 'fcfb02b575a52ca1af2e3267af4e1517bcdeb30ac48c834c69abaed3c0576ad2',
  'cloudflared-linux-arm64': '7747d94570fb390cf47dcb4f9555c193c6355cda9793f0d878d9049e5d6a7790',
  'cloudflared-darwin-amd64.tgz': 'f1727723c586500e2092368ae21871b3df7ddfd2cb097f22d81bee4a9c458bb4',
  'cloudflared-darwin-arm64.tgz': '9042c2c5d8b2de78e60f313d5fb31b6c5c1cebde787a3caf1f2c9588084ac442',
  'cloudflared-windows-amd64.exe': 'c29eee2b121f5436a642eed69fd9767da7e7b8c510fa50aaa130337f931357b5',
};
const SYSTEMS: Readonly<Record<string, [name: string, suffix: string]>> = {
  linux: ['linux', ''],
  darwin: ['darwin', '.tgz'],
  win32: ['windows', '.exe'],
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

function fileHere(): { name: string; sha256: string } | undefined {
  const [system, suffix] = SYSTEMS[platform()] ?? [];
  const name = `cloudflared-${system}-${arch() === 'x64' ? 'amd64' : arch()}${suffix}`;
  const sha256 = CHECKSUMS[name];
  return sha256 === undefined ? undefined : { name, sha256 };
}

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
  async start({ path }, options) {
    const first = begin(path, options);
    const isLinked = await settledIn(first.linked, UDP_MS);
    // Some networks block outgoing UDP: start again over TCP, with another name.
    if (!isLinked) await first.stop();
    const last = isLinked ? first : begin(path, options, '--protocol', 'http2');
    if (!isLinked) await settledIn(last.linked, UDP_MS);
    // Not earlier: a DNS query before the name exists can be answered with "no such name" for half an hour.
    try {
      options.say({ address: await last.address });
    } catch (error) {
      await last.stop();
      throw error;
    }
    return last;
  },
};

type StartedTunnel = Tunnel & { address: Promise<string>; linked: Promise<void> };

/** Starts the program. `linked` resolves once it is connected, or has ended after giving its address. It rejects if no address comes. */
function begin(path: string, { port, folder, say }: TunnelOptions, ...protocol: string[]): StartedTunnel {
  const args = ['tunnel', '--no-autoupdate', ...protocol, '--url', `http://127.0.0.1:${port}`];
  const { PATH, SystemRoot } = process.env;
  // A user's own configuration would override the quick tunnel.
  const env = { PATH, SystemRoot, HOME: folder, USERPROFILE: folder };
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
  const ended = new Promise<SharingTrouble>((resolve) => {
    child.on('error', () => resolve('program'));
    child.on('close', () => resolve('ended'));
  });
  void ended.then((trouble) => hasAddress.reject(new TunnelFailure(trouble)));
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
const settledIn = (work: Promise<unknown>, ms: number): Promise<boolean> =>
  Promise.race([work.then(() => true), wait(ms, false, { ref: false })]);

/** Ports that Funnel may serve. */
const PORTS = [443, 8443, 10_000];

/** Timeout in ms, if no permission is needed. */
const ALLOW_TIMEOUT_MS = 60_000;

/** On Windows and in the macOS application it isn't in PATH. */
const PROGRAM_PATHS = [
  'tailscale',
  '/Applications/Tailscale.app/Contents/MacOS/Tailscale',
  'C:\\Program Files\\Tailscale\\tailscale.exe',
];

const statusSchema = z.object({ BackendState: z.string(), Self: z.object({ DNSName: z.string() }) });
const handlersSchema = z.record(z.string(), z.object({ Proxy: z.string().optional() }));
/** Services that the user has already, by port. `Web` has keys such as `host:port`. */
const servedSchema = z
  .object({
    TCP: z.record(z.string(), z.unknown()).nullish(),
    Web: z.record(z.string(), z.object({ Handlers: handlersSchema.nullish() })).nullish(),
  })
  .nullable();

/** Tailscale's Funnel. The address is the machine's name and stays. */
export const tailscale: Provider = {
  name: 'tailscale',
  keepsAddress: true,
  async find() {
    const path = findProgram(...PROGRAM_PATHS);
    if (path === null) return null;
    const status = await outputOf(path, 'status', '--json').then(parsed, () => null);
    const { data } = statusSchema.safeParse(status);
    if (data?.BackendState !== 'Running' || data.Self.DNSName === '') return null;
    return { path, name: data.Self.DNSName.replace(/\.$/, '') };
  },
  async start({ path, name = '' }, { port, say }) {
    const target = `http://127.0.0.1:${port}`;
    const served = servedSchema.parse(await outputOf(path, 'serve', 'status', '--json').then(parsed));
    const servesTarget = (at: number) => {
      const handlers = served?.Web?.[`${name}:${at}`]?.Handlers ?? {};
      return Object.values(handlers).some(({ Proxy: proxy }) => proxy === target);
    };
    const isFree = (at: number) =>
      served?.TCP?.[at] === undefined && served?.Web?.[`${name}:${at}`] === undefined;
    const at = PORTS.find(servesTarget) ?? PORTS.find(isFree);
    if (at === undefined) throw new TunnelFailure('ports');
    await allow(path, ['funnel', '--bg', '--yes', `--https=${at}`, target], (enable) => say({ enable }));
    say({ address: new URL(`https://${name}:${at}`).origin });
    const ended = Promise.withResolvers<null>();
    return {
      ended: ended.promise,
      async stop() {
        await outputOf(path, 'funnel', `--https=${at}`, 'off').catch(() => '');
        ended.resolve(null);
      },
    };
  },
};

/** Runs the command to its end. If the account must allow it first, reports an address to open and waits without a timeout. */
async function allow(path: string, args: string[], say: (address: string) => void): Promise<void> {
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
  const timeout = setTimeout(() => child.kill(), ALLOW_TIMEOUT_MS);
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => {
      const [address] = /https:\/\/login\.tailscale\.com\/\S+/.exec(line) ?? [];
      if (address === undefined) return;
      clearTimeout(timeout);
      say(address);
    });
  const kill = () => child.kill();
  process.once('exit', kill);
  const [code] = (await once(child, 'close').catch(() => {
    throw new TunnelFailure('program');
  })) as [number | null];
  process.off('exit', kill);
  clearTimeout(timeout);
  if (code !== 0) throw new TunnelFailure('ended', String(code));
}

const parsed = (text: string): unknown => JSON.parse(text);
