import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { freePort } from '../support/free-port.ts';
import { newFolder, type SpawnedServer, spawnServer } from '../support/server.ts';

/** The product as a process in unusual conditions. */

let dataDir: string;
let servers: SpawnedServer[];
beforeEach(async () => {
  dataDir = await newFolder();
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});
async function tracked(server: Promise<SpawnedServer>): Promise<SpawnedServer> {
  servers.push(await server);
  return server;
}

test('keeps compiled code private, and starts if it was damaged', async () => {
  const compiled = join(dataDir, 'compiled');
  // The checks set a folder for compiled code, which the product would use.
  const startWithoutCache = () =>
    tracked(spawnServer({ dataDir, through: ['env', '-u', 'NODE_COMPILE_CACHE'] }));
  await (await startWithoutCache()).end('SIGTERM');
  const entries = await readdir(compiled, { recursive: true, withFileTypes: true });
  const files = entries.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name));
  expect(files.length).toBeGreaterThan(200);
  expect((await stat(compiled)).mode & 0o077).toBe(0);
  for (const path of files) await writeFile(path, 'spoiled');
  const second = await startWithoutCache();
  expect((await fetch(`${second.url}/readyz`)).status).toBe(200);
  await second.end('SIGTERM');
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  expect(Math.min(...sizes)).toBeGreaterThan('spoiled'.length);
});

test('continues if its output can’t be written, and stops on request', async () => {
  const port = String(await freePort());
  const script = `echo "Indirizzo: http://127.0.0.1:${port}"; exec "$@" > /dev/full`;
  const server = await tracked(
    spawnBundled({ dataDir, env: { PORT: port }, through: ['sh', '-c', script, 'sh'] }),
  );
  const status = () =>
    fetch(`${server.url}/readyz`).then(
      (response) => response.status,
      () => (server.process.exitCode === null ? 'not yet' : 'ended'),
    );
  await expect.poll(status, { timeout: 15_000 }).not.toBe('not yet');
  for (let times = 0; times < 3; times += 1) expect(await status()).toBe(200);
  expect(await server.end('SIGTERM')).toBe(0);
});
