import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PROCESS_ENV } from '../support/process-env.ts';
import { newFolder } from '../support/server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** What one start prints: two codes, and the administrator's sign-in. */
type Keys = { code: string; single: string; email: string; password: string };

let folders: string[];
let made: { first: Keys; again: Keys; elsewhere: Keys };
beforeAll(async () => {
  folders = await Promise.all([newFolder(), newFolder()]);
  const [here = '', there = ''] = folders;
  const [first, elsewhere] = await Promise.all([keysOf(here), keysOf(there)]);
  made = { first, elsewhere, again: await keysOf(here) };
});
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

test('the demo’s codes and password are drawn for each data folder', () => {
  for (const key of ['code', 'single', 'password'] as const) {
    expect(made.first[key].length).toBeGreaterThan(8);
    expect(made.elsewhere[key]).not.toBe(made.first[key]);
  }
  expect(made.first.code).not.toBe(made.first.single);
});

test('the same folder keeps them', () => {
  expect(made.again).toEqual(made.first);
});

test('none of them is in the project', async () => {
  const folder = ['demo', 'src', 'docs', 'tests'].map((name) => join(ROOT, name));
  const files = await Promise.all(
    folder.map((each) => readdir(each, { recursive: true, withFileTypes: true })),
  );
  const texts = files.flat().filter((entry) => /\.(ts|tsx|mjs|md|json)$/.test(entry.name));
  expect(texts.length).toBeGreaterThan(500);
  for (const { parentPath, name } of texts) {
    const text = await readFile(join(parentPath, name), 'utf8');
    for (const { code, single, password } of [made.first, made.elsewhere])
      for (const secret of [code, single, password]) expect(text.includes(secret), name).toBe(false);
  }
});

/** Starts the demo on a folder, reads what it prints, and stops it. */
async function keysOf(dataDir: string): Promise<Keys> {
  const env = { ...PROCESS_ENV, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
  const demo = spawn(process.execPath, ['src/program/sorpresa.ts', 'demo'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = await lastLine(demo);
  demo.kill('SIGTERM');
  await once(demo, 'exit');
  const said = (label: string) => new RegExp(`^${label}: (.+)$`, 'm').exec(printed)?.[1] ?? '';
  expect(said('La sorpresa si prepara qui')).toBe(`${said('Indirizzo')}/admin`);
  const [email = '', password = ''] = said('Amministratore').split(' / ');
  return { code: said('Codice'), single: said('Codice singolo'), email, password };
}

async function lastLine(demo: ChildProcess): Promise<string> {
  let output = '';
  for await (const chunk of demo.stdout ?? []) {
    output += String(chunk);
    if (/^Amministratore: .+\n/m.test(output)) return output;
  }
  throw new Error(`The demo ended before it was ready:\n${output}`);
}
