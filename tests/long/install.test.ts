import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';
import { killOnExit } from '../support/kill-on-exit.ts';
import { newFolder } from '../support/server.ts';

/**
 * The release in a new user's empty folder, whose name has a space and an accent, by `npx`, as root and as an ordinary user. npm downloads
 * packages once, and runs offline from then on.
 */

const ROOT = resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);
/** The user `nobody`; only root can run commands as another user. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** The Node of the tests comes first: the release needs 24, and a machine's own may be older. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Variables by which npm reaches its registry, without the settings of the test's own npm. */
const OF_THE_MACHINE = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(HOME|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|(https?|no)_proxy|npm_config_(registry|cafile))$/i.test(name),
  ),
);

let parent: string;
let archive: string;
beforeAll(async () => {
  parent = await newFolder();
  await chmod(parent, 0o755);
  const made = join(parent, 'release');
  await exec(process.execPath, [join(ROOT, 'scripts/release.mjs'), made]);
  archive = (await readdir(made)).find((name) => name.endsWith('.tgz')) ?? '';
}, 300_000);
afterAll(() => rm(parent, { recursive: true, force: true }));

/** Runs `npx ./sorpresa-….tgz COMMAND`. Once it answers, calls `look` and interrupts it as with Ctrl+C. Returns the output. */
async function npx(
  folder: string,
  command: string,
  { npm = [] as string[], as = {}, home = '', look = async (_url: string) => undefined as unknown } = {},
): Promise<string> {
  const child = spawn('npx', ['--yes', ...npm, `./${archive}`, command], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
    env: {
      ...OF_THE_MACHINE,
      PATH,
      npm_config_cache: join(parent, 'cache'),
      npm_config_update_notifier: 'false',
      HOST: '127.0.0.1',
      PORT: '0',
      ...(home !== '' && { HOME: home }),
    },
    ...as,
  });
  killOnExit(child);
  const ended = once(child, 'close');
  const url = Promise.withResolvers<string>();
  let output = '';
  const ready = /^Indirizzo: (\S+)$[^]*^(?:Amministratore: |Codice di installazione: )/m;
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const found = ready.exec(output)?.[1];
      if (found !== undefined) url.resolve(found);
    });
  child.once('close', () => url.reject(new Error(output)));
  try {
    await look(await url.promise);
  } finally {
    if (child.exitCode === null) process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  }
  return output;
}

async function emptyFolder(name: string): Promise<string> {
  const folder = join(parent, name);
  await mkdir(folder);
  await copyFile(join(parent, 'release', archive), join(folder, archive));
  return folder;
}

async function answers(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Il tuo codice')]);
}

test('runs the demo from an empty folder, and npm installs only packages for this machine', async () => {
  const folder = await emptyFolder('là giù');
  await npx(folder, 'demo', { look: answers });
  expect((await readdir(folder)).toSorted()).toEqual(['data-demo', archive].toSorted());
  const installed = join(parent, 'cache/_npx');
  const [hash = ''] = await readdir(installed);
  const packages = await readdir(join(installed, hash, 'node_modules'));
  expect(packages.filter((name) => !name.startsWith('.')).toSorted()).toEqual([
    '@embedpdf',
    '@img',
    '@seydx',
    'detect-libc',
    'libheif-js',
    'semver',
    'sharp',
    'sorpresa',
  ]);
});

test('passes the doctor there, with FFmpeg', async () => {
  const [hash = ''] = await readdir(join(parent, 'cache/_npx'));
  const program = join(parent, 'cache/_npx', hash, 'node_modules/.bin/sorpresa');
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(parent, 'none') };
  const { stdout } = await exec(program, ['doctor'], { env });
  expect(stdout).toContain('Qui può funzionare tutto.');
});

test('starts the product without a network, with its data in the same folder', async () => {
  const folder = await emptyFolder('e là');
  const output = await npx(folder, 'start', { npm: ['--offline'], look: answers });
  expect(output).toMatch(/^La sorpresa si prepara qui: http:\/\/127\.0\.0\.1:\d+\/admin$/m);
  expect((await readdir(folder)).toSorted()).toEqual(['data', archive].toSorted());
  expect(await readdir(join(folder, 'data'))).toContain('sorpresa.db');
});

describe('ordinary user', () => {
  // Only root can run commands as another user.
  beforeAll(() => expect(process.getuid?.(), 'Run this test as root.').toBe(0));
  test.each(['demo', 'start'])('can run %s from a separate folder', async (command) => {
    const folder = await emptyFolder(`così ${command}`);
    await exec('chown', ['-R', '65534:65534', folder, join(parent, 'cache')]);
    await npx(folder, command, { npm: ['--offline'], as: NOBODY, home: folder, look: answers });
  });
});

test.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
])('installs exactly one Node for %s %s, at the expected path', async (platform, arch) => {
  const copy = join(parent, `${platform}-${arch}`);
  await mkdir(copy);
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(ROOT, name), join(copy, name));
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await exec('npm', ['install', `--os=${platform}`, `--cpu=${arch}`, ...flags], { cwd: copy });
  const packages = (await readdir(join(copy, 'node_modules'))).filter((name) =>
    /^node-(bin-)?(linux|darwin|win)/.test(name),
  );
  const { folder = '', binary = '' } = pinnedNode(platform, arch) ?? {};
  expect(packages.map((name) => `node_modules/${name}`)).toEqual([folder]);
  expect((await stat(join(copy, binary))).size).toBeGreaterThan(10_000_000);
});
