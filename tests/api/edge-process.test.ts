import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { spawnBundled } from '../support/bundled.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, type SpawnedServer } from '../support/server.ts';

describe('server process', () => {
  let dataDir: string;
  let server: SpawnedServer;
  beforeEach(async () => {
    dataDir = join(await newFolder(), 'a/b');
    server = await spawnBundled({ dataDir, env: { DRAIN_SECONDS: '60' } });
  });
  afterEach(async () => {
    await server.end('SIGKILL');
    await rm(join(dataDir, '../..'), { recursive: true, force: true });
  });
  const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

  test('creates its folder for itself alone, prints its address, and stops on Ctrl+C', async () => {
    await expect.poll(() => server.output()).toContain(`La sorpresa si prepara qui: ${server.url}/admin\n`);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await signUp(server);
    expect(await modeOf(dataDir)).toBe(0o700);
    const files = await readdir(dataDir, { recursive: true, withFileTypes: true });
    expect(files.length).toBeGreaterThan(5);
    for (const { parentPath, name } of files)
      expect((await modeOf(join(parentPath, name))) & 0o077, name).toBe(0);
    const again = await spawnBundled({ dataDir }).catch((error: Error) => error.message);
    expect(again).toContain('in use by another process');
    // Ctrl+C signals this process and its parent.
    server.process.kill('SIGINT');
    await expect.poll(() => server.output()).toContain('"msg":"stopping"');
    expect(await server.end('SIGINT')).toBe(0);
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  });

  test('is not ready while draining but answers every request, and stops at once on Ctrl+C', async () => {
    const ask = async (path: string) => {
      const { status, headers } = await fetch(`${server.url}${path}`);
      return [status, headers.get('connection')];
    };
    expect(await ask('/readyz')).toEqual([200, 'keep-alive']);
    // As when a whole service is signalled: this process, and its parent, which forwards the signal.
    server.process.kill('SIGTERM');
    await expect.poll(() => server.output()).toContain('"msg":"draining"');
    server.process.kill('SIGTERM');
    expect(await ask('/readyz')).toEqual([503, 'close']);
    expect(await ask('/healthz')).toEqual([200, 'close']);
    expect(await ask('/api/site')).toEqual([200, 'close']);
    expect(server.output()).not.toContain('"msg":"stopping"');
    expect(await server.end('SIGINT')).toBe(0);
  });
});
