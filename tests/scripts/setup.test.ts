import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';
import { newFolder } from '../support/server.ts';

const PINNED = pinnedNode(process.platform, process.arch)?.binary ?? '';

/** A separate project, and a folder with programs that replace the machine's. */
let root: string;
let programs: string;
beforeAll(async () => {
  [root, programs] = await Promise.all([newFolder(), newFolder()]);
  await cp(join(import.meta.dirname, '../../scripts'), join(root, 'scripts'), { recursive: true });
});
beforeEach(async () => {
  await rm(join(root, 'node_modules'), { recursive: true, force: true });
  await mkdir(join(root, 'node_modules', '.bin'), { recursive: true });
});
afterAll(async () => {
  for (const folder of [root, programs]) await rm(folder, { recursive: true, force: true });
});

type Ended = { code: number; stdout: string; stderr: string };

/** Evaluates a module in the project, on this Node or on one that reports another version. */
async function evaluate(
  code: string,
  { version = '', path = process.env.PATH, cwd = root } = {},
): Promise<Ended> {
  const pretence = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });`;
  const module = `${version === '' ? '' : pretence}
    const { ensureBrowser } = await import('./scripts/browser.mjs');
    const { ensureBuilt, ensureInstalled, node, run } = await import('./scripts/setup.mjs');
    ${code}`;
  const args = ['--input-type=module', '--eval', module];
  const env = { PATH: path, HOME: root };
  return promisify(execFile)(process.execPath, args, { cwd, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: Ended) => error,
  );
}
const which = (version = '') => evaluate('console.log(node());', { version });

async function putPinned(program: string, mode: number): Promise<void> {
  for (const path of [PINNED, 'node_modules/.bin/node']) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), program);
    await chmod(join(root, path), mode);
  }
}
const putProgram = (name: string, script: string) =>
  writeFile(join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

/** Expects one message, a failure, and no stack. */
function expectSentence({ code, stderr }: Ended, message: RegExp): void {
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toMatch(/\n\s+at /);
  expect(code).toBe(1);
}

test('runs the product with the pinned Node on any Node of the machine', async () => {
  await putPinned('#!/bin/sh\nexit 0\n', 0o755);
  for (const version of ['', '20.9.0'])
    expect(await which(version)).toMatchObject({ code: 0, stdout: `${join(root, PINNED)}\n` });
});

test.each<[string, string | null, number]>([
  ['is missing', null, 0],
  ['may not be executed', '#!/bin/sh\nexit 0\n', 0o644],
])(
  'uses the machine’s Node from 24 on if the pinned one %s, else prints a message',
  async (_name, program, mode) => {
    if (program !== null) await putPinned(program, mode);
    expectSentence(await which('20.19.0'), /install Node 24 or later/);
    const own = { code: 0, stdout: `${process.execPath}\n` };
    expect(await which('24.0.0')).toMatchObject(own);
    // npm would find it there before the machine's.
    expect(await readdir(join(root, 'node_modules/.bin'))).toEqual([]);
    expect(await which()).toMatchObject(own);
  },
);

test('reports each failure in one sentence', async () => {
  expectSentence(await evaluate('', { version: '18.20.4' }), /Node 18\.20\.4 is too old: install Node 24/);
  const missing = await evaluate("run('no-such-program', [])");
  expectSentence(missing, /no-such-program could not be started \(ENOENT\)/);
  const browser = /apt-get install -y chromium.*CHROMIUM_PATH/;
  expectSentence(await evaluate('ensureBrowser([])', { path: join(root, 'nothing') }), browser);
  await putProgram('apt-get', '[ "$1" = --version ]');
  expectSentence(await evaluate('ensureBrowser([])', { path: programs }), browser);
  for (const name of ['a#b', 'a?b']) {
    const cwd = join(root, name);
    await cp(join(root, 'scripts'), join(cwd, 'scripts'), { recursive: true });
    const message = /\/a.b has a # or \? in its path.*move it/;
    expectSentence(await evaluate("ensureInstalled('run')", { cwd }), message);
  }
  await writeFile(join(root, 'node_modules/.modules.yaml'), '');
  expectSentence(await evaluate("ensureInstalled('run')"), /pnpm.*delete node_modules/);
});

test('installs the requested packages with npm, unless the folder is not writable', async () => {
  await putProgram('npm', 'echo "npm $*"');
  for (const [level, flag] of [
    ['run', ' --omit=dev --legacy-peer-deps'],
    ['all', ''],
  ]) {
    const { code, stdout, stderr } = await evaluate(`ensureInstalled('${level}')`, { path: programs });
    expect(stdout).toContain(`npm install --no-save --no-audit --no-fund --loglevel=error${flag}\n`);
    expect([code, stderr]).toEqual([0, '']);
  }
  // Not writable for any user. root can write everything, so it switches to another user.
  await chmod(join(root, 'node_modules'), 0o555);
  const nobody = process.getuid?.() === 0 ? 'process.setuid(65534);' : '';
  await chmod(root, 0o755);
  const ended = await evaluate(`${nobody} ensureInstalled('all')`, { path: programs });
  await chmod(join(root, 'node_modules'), 0o755);
  expectSentence(ended, /node_modules can't be written by this user: run the command as its owner/);
  expect(ended.stdout).toBe('');
});

test.each([
  ['24.0.0', []],
  ['20.9.0', ['bin']],
])(
  'keeps the pinned Node beside Node %s of the machine only if needed, without headers',
  async (version, left) => {
    await putProgram('npm', '');
    await putPinned('#!/bin/sh\nexit 0\n', 0o755);
    const folder = dirname(dirname(join(root, PINNED)));
    await mkdir(join(folder, 'include'));
    const { code } = await evaluate("ensureInstalled('run')", { version, path: programs });
    expect([code, await readdir(folder).catch(() => [])]).toEqual([0, left]);
  },
);

test('builds the server again only if the content of a source changed', async () => {
  const source = join(root, 'src/server/main.ts');
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  for (const path of [source, vite]) await mkdir(dirname(path), { recursive: true });
  await writeFile(vite, "require('node:fs').mkdirSync('dist', { recursive: true });");
  const isBuiltFor = async (content: string) => {
    await writeFile(source, content);
    const { code, stdout } = await evaluate("ensureBuilt('server')");
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^$|^Building the server…\n$/)]);
    return stdout !== '';
  };
  expect(await isBuiltFor('one')).toBe(true);
  expect(await isBuiltFor('one')).toBe(false);
  // Later than the next edit, as after a clock that was set back.
  const later = new Date(Date.now() + 3_600_000);
  await utimes(join(root, 'dist/server.hash'), later, later);
  expect(await isBuiltFor('two')).toBe(true);
});
