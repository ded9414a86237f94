import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { findProgram, outputOf } from './programs.ts';
import { type Provider, TunnelFailure } from './tunnel.ts';

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
/** Services that the user has already, by port. `Web` has keys such as `host:port`. */
const servedSchema = z
  .object({
    TCP: z.record(z.string(), z.unknown()).nullish(),
    Web: z
      .record(
        z.string(),
        z.object({ Handlers: z.record(z.string(), z.object({ Proxy: z.string().optional() })).nullish() }),
      )
      .nullish(),
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
