import { execFile, execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shareTexts } from '../../src/texts/commands.ts';
import { freePort } from '../support/free-port.ts';
import { call } from '../support/http.ts';
import { newFolder, spawnServer, startServer } from '../support/server.ts';
import { type Tunnels, tunnels } from '../support/tunnels.ts';

/** The tunnel's separate process, while products start and stop. */

const IN_TIME = { timeout: 60_000, interval: 100 };
/** The program has more than a minute to give an address, twice. */
const PATIENT = { timeout: 200_000, interval: 250 };
let folder: string;
let programs: Tunnels;
beforeEach(async () => {
  folder = await newFolder();
  programs = await tunnels('cloudflared');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await programs.end();
  await rm(folder, { recursive: true, force: true });
});

type Noted = { keeper: { pid: number }; child: { pid: number } };
const noted = (): Noted => JSON.parse(readFileSync(join(folder, 'sharing/tunnel.json'), 'utf8'));
/** Returns the running processes of a tunnel; one that only waits for its parent (Z) has ended. */
const running = ({ keeper, child }: Noted) =>
  [keeper.pid, child.pid].filter(
    (pid) => existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')),
  );

async function online({ deps: { sharing } }: Awaited<ReturnType<typeof startServer>>): Promise<string> {
  await sharing.start();
  await vi.waitFor(async () => expect((await sharing.read()).state).toBe('online'), IN_TIME);
  return sharing.address() ?? '';
}

test('reports that the program gave no address, tries another protocol before, and leaves no process', async () => {
  programs.order({ hangs: true });
  const server = await startServer({ dataDir: folder });
  await server.deps.sharing.start();
  const read = () => server.deps.sharing.read();
  await vi.waitFor(async () => expect(await read()).toMatchObject({ trouble: 'no_address' }), PATIENT);
  expect(existsSync(join(folder, 'sharing/tunnel.json'))).toBe(false);
  expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain('tunnel-program.mjs cloudflared');
  expect(programs.calls().map((line) => line.includes('--protocol http2'))).toEqual([false, true]);
  await server.stop();
});

test('ends the sharing when the product was stopped for more than 15 minutes', async () => {
  vi.stubEnv('KEEPER_GONE_MS', '1500');
  const first = await startServer({ dataDir: folder });
  await online(first);
  const left = noted();
  await first.stop();
  await vi.waitFor(() => expect(running(left)).toEqual([]), IN_TIME);
  vi.unstubAllEnvs();
  const second = await startServer({ dataDir: folder });
  expect(await second.deps.sharing.read()).toMatchObject({ state: 'off', address: null });
  await second.stop();
});

test('is started and stopped by a command, and survives a killed product', async () => {
  const env = { ...programs.env, PORT: String(await freePort()) };
  const command = async (...args: string[]) => {
    const options = { env: { ...env, DATA_DIR: folder } };
    const share = ['src/cli/sorpresa.ts', 'share', ...args];
    return (await promisify(execFile)(process.execPath, share, options)).stdout;
  };
  const product = () => spawnServer({ dataDir: folder, env });
  const first = await product();
  const [address = ''] = /https:\S+/.exec(await command('--yes')) ?? [];
  expect((await call(address, 'GET', '/site')).status).toBe(200);
  const left = noted();
  await first.end('SIGKILL');
  expect(running(left)).toHaveLength(2);
  const second = await product();
  await vi.waitFor(async () => expect((await call(address, 'GET', '/site')).status).toBe(200), IN_TIME);
  expect(await command('--stop')).toContain(shareTexts.stopped);
  expect(running(left)).toEqual([]);
  await second.end('SIGTERM');
});
