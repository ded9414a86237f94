import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder } from '../support/server.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await newFolder();
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const PROGRAM = `import { spawnServer } from './tests/support/server.ts';
  const { process: server } = await spawnServer({ dataDir: process.env.DATA_DIR });
  console.log(server.pid);`;

test('a server that a test has started ends when the test’s process dies', { timeout: 60_000 }, async () => {
  const tester = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: { ...PROCESS_ENV, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [said] = (await once(tester.stdout, 'data')) as [Buffer];
  const server = Number(said);
  expect(isThere(server)).toBe(true);
  tester.kill('SIGKILL');
  await expect.poll(() => isThere(server), { timeout: 10_000 }).toBe(false);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
