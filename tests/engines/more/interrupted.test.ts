import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { toolPath } from '../../../scripts/tools.mjs';
import { START_MS } from '../support/kept.ts';

/** What a run of both engines has started when it is under way. */
const PROGRAMS = ['webDriver', 'miniBrowser', 'xvfb', 'firefox'].map((name) =>
  basename(toolPath('engines', name)),
);

test.each(['SIGINT', 'SIGKILL'] as const)(
  '%s leaves nothing behind that the engines’ tests have started',
  async (signal) => {
    const ENGINES_RUN = randomUUID();
    const args = ['run', '--project=engines', 'real-time', '-t', 'one trip'];
    const run = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], {
      cwd: resolve(import.meta.dirname, '../../..'),
      // A group of its own, as a shell's foreground is: Ctrl+C is told to all of it.
      detached: true,
      stdio: 'ignore',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ENGINES_RUN },
    });
    const ended = once(run, 'exit');
    await expect
      .poll(() => marked(`ENGINES_RUN=${ENGINES_RUN}`), { timeout: START_MS, interval: 200 })
      .toEqual(expect.arrayContaining(PROGRAMS));
    process.kill(-(run.pid ?? 0), signal);
    await ended;
    await expect
      .poll(() => marked(`ENGINES_RUN=${ENGINES_RUN}`), { timeout: START_MS, interval: 200 })
      .toEqual([]);
  },
);

/** The names of the programs that have it in their environment. */
async function marked(mark: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const names = pids.map(async (pid) => {
    // One that ends while it is looked at is gone.
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
    return environment.split('\0').includes(mark) ? [await nameOf(pid)] : [];
  });
  return (await Promise.all(names)).flat();
}

async function nameOf(pid: string): Promise<string> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  return name.trim();
}
