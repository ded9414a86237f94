import type * as fs from 'node:fs/promises';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { loadSecret } from '../../src/server/auth/secrets.ts';
import { startServer } from '../support/server.ts';

const opened = vi.hoisted(() => ({ folders: [] as string[] }));

/** Simulates folders on Windows, which can be opened but not synced. */
vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof fs>();
  const open: typeof real.open = async (path, flags, mode) => {
    const handle = await real.open(path, flags, mode);
    if (!(await handle.stat()).isDirectory()) return handle;
    opened.folders.push(String(path));
    handle.sync = () =>
      Promise.reject(Object.assign(new Error('EPERM: operation not permitted, fsync'), { code: 'EPERM' }));
    return handle;
  };
  return { ...real, open };
});

let dataDir: string;
beforeEach(async () => {
  opened.folders = [];
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  dataDir = await mkdtemp(join(tmpdir(), 'sorpresa-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(dataDir, { recursive: true, force: true });
});

test('becomes ready on Windows with a fresh data folder', async () => {
  const server = await startServer({ dataDir: join(dataDir, 'fresh') });
  const ready = await fetch(`${server.url}/readyz`);
  expect(ready.status, server.logged()).toBe(200);
  await server.stop();
  expect(opened.folders).toEqual([]);
  expect(await readdir(join(dataDir, 'fresh'))).toEqual(
    expect.arrayContaining(['secret-auth', 'secret-encryption']),
  );
  expect((await stat(join(dataDir, 'fresh', 'media'))).isDirectory()).toBe(true);
});

test('makes the name of a secret durable on other systems', async () => {
  vi.restoreAllMocks();
  await expect(loadSecret(join(dataDir, 'new'), 'auth')).rejects.toThrow('fsync');
});
