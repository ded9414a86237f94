import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { resolveConfig } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { isSignedIn } from '../../src/web/build/signed-in.ts';
import { freePort } from '../support/free-port.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder } from '../support/server.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);
const PAGE = { accept: 'text/html' };
afterEach(() => vi.unstubAllEnvs());

test('serves the demo with npm run dev -- --signed-in, and signs in pages of the administration only', async () => {
  const dataDir = await newFolder();
  const port = await freePort(2);
  const url = `http://localhost:${port}`;
  const dev = spawn(process.execPath, ['scripts/dev.mjs', '--signed-in'], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...PROCESS_ENV, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  });
  try {
    await printed(dev, /ready in/, /^Amministratore: /m);
    const page = await fetch(`${url}/admin/dashboard`, { headers: PAGE });
    expect(await page.text()).toContain('/@vite/client');
    const cookies = page.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
    const headers = { cookie: cookies.join('; ') };
    const getJson = async (path: string) => (await fetch(`${url}/api${path}`, { headers })).json();
    expect(await getJson('/admin/me')).toMatchObject({ email: 'demo@sorpresa.example' });
    const config = (await getJson('/admin/config')) as { titolo_destinazione: string };
    expect(config.titolo_destinazione).toBe('Lisbona');
    const again = await fetch(`${url}/admin/dashboard`, { headers: { ...PAGE, ...headers } });
    expect(again.headers.getSetCookie()).toEqual([]);
    for (const path of ['/', '/experience'])
      expect((await fetch(url + path, { headers: PAGE })).headers.getSetCookie()).toEqual([]);
    // Modules of the web are served as such, also those in its folder `api/`.
    const module = await fetch(`${url}/api/visit.ts`);
    expect(module.headers.get('content-type')).toBe('text/javascript');
    await module.body?.cancel();
  } finally {
    dev.kill('SIGTERM');
    if (dev.exitCode === null) await once(dev, 'exit');
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('signs in automatically only on request, and never in a build', async () => {
  const plugins = async (command: 'build' | 'serve') => {
    const config = await resolveConfig({ configFile: join(ROOT, 'vite.config.ts') }, command);
    return config.plugins.map(({ name }) => name);
  };
  expect(await plugins('serve')).not.toContain('signed-in');
  vi.stubEnv('DEV_SIGN_IN', '/nowhere/demo.json');
  expect(await plugins('serve')).toContain('signed-in');
  expect(await plugins('build')).not.toContain('signed-in');
});

test.each([
  ['/admin?a=b', 'text/html,*/*', '::1', true],
  ['/prova', 'text/html', '::ffff:127.0.0.1', true],
  ['/admin/dashboard', 'text/html', '192.168.1.20', false],
  ['/admin/dashboard', '*/*', '127.0.0.1', false],
  ['/administrator', 'text/html', '127.0.0.1', false],
])('decides for %s as %s from %s whether to sign in: %s', (path, accept, from, expected) => {
  expect(isSignedIn(path, accept, from)).toBe(expected);
});

test('refuses an unknown option of npm run dev with an explanation', async () => {
  const dev = exec(process.execPath, ['scripts/dev.mjs', '--sined-in'], { cwd: ROOT });
  await expect(dev).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There are --signed-in, --reset and --empty'),
  });
});

/** Waits until all patterns were printed. */
async function printed(child: ChildProcess, ...signs: RegExp[]): Promise<void> {
  let output = '';
  const { promise, resolve: found, reject } = Promise.withResolvers<void>();
  child.stdout?.on('data', (chunk) => {
    output += String(chunk);
    if (signs.every((sign) => sign.test(output))) found();
  });
  child.once('exit', () => reject(new Error(`It ended before it was ready:\n${output}`)));
  await promise;
}
