import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resetDemo } from '../../demo/reset.ts';
import { DataDirInUse, lockDataDir } from '../../src/server/db/owner.ts';
import { bundledProgram } from '../support/bundled.ts';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder } from '../support/server.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('generates codes and a password per data folder and keeps them, also with PUBLIC_URL', async () => {
  const [here, there] = [join(folder, 'here'), join(folder, 'there')];
  const [first, elsewhere] = await Promise.all([
    keysOf(here),
    keysOf(there, { PUBLIC_URL: 'https://sorpresa.example' }),
  ]);
  for (const key of ['code', 'single', 'password'] as const) {
    expect(first[key].length).toBeGreaterThan(8);
    expect(elsewhere[key]).not.toBe(first[key]);
  }
  expect(first.code).not.toBe(first.single);
  expect(await keysOf(here)).toEqual(first);
});

test('resets its own data folder unless it is in use', async () => {
  await writeFile(join(folder, 'demo.json'), '{}');
  await mkdir(join(folder, 'media'));
  await writeFile(join(folder, 'media', 'film'), 'x');
  const disown = lockDataDir(folder, new Date());
  const before = await readdir(folder);
  expect(() => resetDemo(folder)).toThrow(DataDirInUse);
  expect(() => resetDemo(folder)).toThrow(`PID ${process.pid}`);
  expect(await readdir(folder)).toEqual(before);
  disown();
  resetDemo(folder);
  expect((await readdir(folder)).filter((name) => !name.startsWith('sorpresa.lock'))).toEqual([]);
  expect(() => lockDataDir(folder, new Date())()).not.toThrow();
  await writeFile(join(folder, 'film'), 'x');
  expect(() => resetDemo(folder)).toThrow(/not made by the demo/);
  expect(existsSync(join(folder, 'film'))).toBe(true);
  resetDemo(join(folder, 'none'));
  expect(existsSync(join(folder, 'none'))).toBe(false);
});

/** Starts the demo on a folder, reads its output, and stops it. */
async function keysOf(dataDir: string, more: Record<string, string> = {}) {
  const env = { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...more };
  const demo = spawn(process.execPath, [await bundledProgram(), 'demo'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await lastLine(demo);
  demo.kill('SIGTERM');
  await once(demo, 'exit');
  const printedValue = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(printed)?.[1] ?? '';
  expect(printedValue('La sorpresa si prepara qui')).toBe(`${printedValue('Indirizzo')}/admin`);
  const [email = '', password = ''] = printedValue('Amministratore').split(' / ');
  return { code: printedValue('Codice'), single: printedValue('Codice singolo'), email, password };
}

async function lastLine(demo: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of demo.stdout ?? []) {
    output += String(chunk);
    if (/^Amministratore: .+\n/m.test(output)) return output;
  }
  throw new Error(`The demo ended before it was ready:\n${output}`);
}
