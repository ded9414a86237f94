import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';
import { newFolder } from '../support/server.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts');
const PINNED = pinnedNode(process.platform, process.arch)?.binary ?? '';

let root: string;
let elsewhere: string;
beforeEach(async () => {
  root = await newFolder();
  elsewhere = await newFolder();
  await cp(SCRIPTS, join(root, 'scripts'), { recursive: true });
  await mkdir(join(root, 'node_modules', '.bin'), { recursive: true });
});
afterEach(async () => {
  await chmod(join(root, 'node_modules'), 0o755);
  for (const folder of [root, elsewhere]) await rm(folder, { recursive: true, force: true });
});

type Ended = { code: number; stdout: string; stderr: string };

/** Evaluates a module in a project of its own, on this very Node or on one that takes itself for another version. */
async function evaluate(code: string, { version = '', path = process.env.PATH } = {}): Promise<Ended> {
  const pretence = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const module = `${version === '' ? '' : pretence}
    const { ensureBrowser } = await import('./scripts/browser.mjs');
    const { ensureInstalled, node, run } = await import('./scripts/setup.mjs');
    ${code}`;
  const args = ['--input-type=module', '--eval', module];
  const env = { PATH: path, HOME: root };
  return promisify(execFile)(process.execPath, args, { cwd: root, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}

async function putPinned(program: string, mode: number): Promise<void> {
  for (const path of [PINNED, 'node_modules/.bin/node']) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), program);
    await chmod(join(root, path), mode);
  }
}

/** One sentence, a failure, and no stack. */
function expectSentence({ code, stderr }: Ended, said: RegExp): void {
  expect(stderr).toMatch(said);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
}

const WHICH = 'console.log(node());';

test('the pinned Node runs the product', async () => {
  await putPinned('#!/bin/sh\nexit 0\n', 0o755);
  expect(await evaluate(WHICH)).toMatchObject({ code: 0, stdout: `${join(root, PINNED)}\n` });
  expect(await evaluate(WHICH, { version: '20.9.0' })).toMatchObject({ stdout: `${join(root, PINNED)}\n` });
});

const broken: [string, () => Promise<unknown>][] = [
  ['is missing', () => Promise.resolve()],
  ['may not be executed', () => putPinned('#!/bin/sh\nexit 0\n', 0o644)],
  ['needs a loader that is not there', () => putPinned('#!/lib/ld-none.so\n', 0o755)],
  ['fails', () => putPinned('#!/bin/sh\nexit 127\n', 0o755)],
];
test.each(broken)('where it %s, the machine’s own from 24 on does', async (_name, prepare) => {
  await prepare();
  for (const version of ['24.0.0', ''])
    expect(await evaluate(WHICH, { version })).toMatchObject({ code: 0, stdout: `${process.execPath}\n` });
  // npm would find it there before the machine's.
  expect(await readdir(join(root, 'node_modules/.bin'))).toEqual([]);
});

test.each(broken)(
  'where it %s and the machine’s is 20, a sentence says what to install',
  async (_name, prepare) => {
    await prepare();
    expectSentence(await evaluate(WHICH, { version: '20.19.0' }), /install Node 24 or later/);
  },
);

test('a machine whose Node can’t even read the scripts is told so', async () => {
  expectSentence(
    await evaluate('', { version: '18.20.4' }),
    /Node 18\.20\.4 is too old: install Node 24 or later/,
  );
});

test('what another package manager installed is not written over', async () => {
  await writeFile(join(root, 'node_modules/.modules.yaml'), '');
  expectSentence(await evaluate("ensureInstalled('run')"), /pnpm.*delete node_modules/);
});

/** An npm that only says what it is asked. */
async function putNpm(): Promise<string> {
  await writeFile(join(elsewhere, 'npm'), '#!/bin/sh\necho "npm $*"\n', { mode: 0o755 });
  return elsewhere;
}

test.each([
  ['run', ' --omit=dev'],
  ['all', ''],
])('npm installs what is asked for: %s', async (level, flag) => {
  const { code, stdout, stderr } = await evaluate(`ensureInstalled('${level}')`, { path: await putNpm() });
  expect(stdout).toContain(`npm install --no-save --no-audit --no-fund --loglevel=error${flag}\n`);
  expect([code, stderr]).toEqual([0, '']);
});

test('packages of somebody else are left alone, and that is said', async () => {
  const path = await putNpm();
  // Nobody may write it, not even its owner; root may everything, so that one is played by somebody else.
  await chmod(join(root, 'node_modules'), 0o555);
  const nobody = process.getuid?.() === 0 ? 'process.setuid(65534);' : '';
  await chmod(root, 0o755);
  const ended = await evaluate(`${nobody} ensureInstalled('all')`, { path });
  expectSentence(ended, /node_modules can't be written by this user: run the command as its owner/);
  expect(ended.stdout).toBe('');
});

test('a program that isn’t there is named', async () => {
  expectSentence(
    await evaluate("run('no-such-program', [])"),
    /no-such-program could not be started \(ENOENT\)/,
  );
});

test('without a browser, and without apt-get, an administrator’s command is named', async () => {
  expectSentence(
    await evaluate('ensureBrowser([])', { path: join(root, 'nothing') }),
    /apt-get install -y chromium.*CHROMIUM_PATH/,
  );
});

test('so it is where apt-get fails', async () => {
  await writeFile(join(elsewhere, 'apt-get'), '#!/bin/sh\n[ "$1" = --version ]\n', { mode: 0o755 });
  expectSentence(
    await evaluate('ensureBrowser([])', { path: elsewhere }),
    /apt-get install -y chromium.*CHROMIUM_PATH/,
  );
});
