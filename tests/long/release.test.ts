import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { killOnExit } from '../support/kill-on-exit.ts';
import { newFolder, spawnServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

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

let folder: string;
let made: string;
let archive: string;
beforeAll(async () => {
  folder = await newFolder();
  await chmod(folder, 0o755);
  made = join(folder, 'là giù');
  await exec(process.execPath, [join(ROOT, 'scripts/release.mjs'), made]);
  archive = (await readdir(made)).find((name) => name.endsWith('.tgz')) ?? '';
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

type Bill = { bomFormat: string; components: { name: string }[] };

describe('release of npm run release', () => {
  let files: string[];
  const read = (name: string) => readFile(join(made, 'package', name), 'utf8');
  beforeAll(async () => {
    await exec('tar', ['-xzf', archive], { cwd: made });
    const entries = await readdir(join(made, 'package'), { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(made, 'package/').length));
  });

  test('is named by the version, with its bill of materials and the notices of included code', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    const bill = `sorpresa-${version}.sbom.json`;
    expect((await readdir(made)).toSorted()).toEqual(['package', bill, `sorpresa-${version}.tgz`]);
    const { bomFormat, components } = JSON.parse(await readFile(join(made, bill), 'utf8')) as Bill;
    const inside = ['react', 'kysely', 'sharp', 'libheif-js', '@seydx/node-av-linux-x64'];
    const named = components.map(({ name }) => name);
    expect([bomFormat, named]).toEqual(['CycloneDX', expect.arrayContaining(inside)]);
    const notices = await read('THIRD-PARTY.md');
    const fonts = ['@fontsource-variable/figtree', '@fontsource-variable/fraunces', 'Allura'];
    for (const name of ['react', 'kysely', 'better-auth', 'node-av', 'Tabler Icons', ...fonts])
      expect(notices).toMatch(new RegExp(`^## ${name} .*\\(.+\\)$`, 'm'));
    expect(notices).not.toContain('(null)');

    // Parts of the packages that npm installs with it.
    const expectedRows = [
      ['@seydx/node-av-linux-x64', 'MIT', 'FFmpeg (GPL-3.0-or-later)', 'libfdk-aac (FDK-AAC)'],
      ['@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later', 'libvips (LGPL-3.0-or-later)'],
      ['libheif-js', 'LGPL-3.0', 'libde265 (LGPL-3.0-or-later)'],
    ];
    const rows = notices.split('\n').map((line) => line.split(/ *\| *|, /));
    for (const cells of expectedRows) expect(rows).toContainEqual(expect.arrayContaining(cells));
    for (const kind of ['GENERAL', 'LESSER GENERAL'])
      expect(notices).toMatch(new RegExp(`^ +GNU ${kind} PUBLIC LICENSE\n +Version 3,`, 'm'));
  });

  test('contains all files that run, no tests, sources or maps, and no path of the build', async () => {
    const media = 'src/server/media-worker/child';
    const own = [
      'bin/sorpresa.cjs',
      'src/cli/sorpresa.js',
      `${media}/main.js`,
      `${media}/guard.js`,
      'src/server/features/sharing/keeper.js',
    ];
    const shipped = ['dist/web/index.html.br', 'demo/media/video.mp4', 'LICENSE', 'README.md'];
    expect(files).toEqual(expect.arrayContaining([...own, ...shipped]));
    expect(files.filter((name) => /\.(ts|tsx|map)$|test|\.vite/.test(name))).toEqual([]);
    const texts = files.filter((name) => /\.(js|cjs|json|md|html|css)$/.test(name));
    expect(texts.length).toBeGreaterThan(100);
    for (const name of texts) expect((await read(name)).includes(ROOT), name).toBe(false);
  });

  test('needs Node 24, and only packages with native code, at one version each', async () => {
    const { engines, dependencies, ...rest } = JSON.parse(await read('package.json'));
    expect(engines).toEqual({ node: '>=24' });
    expect(Object.keys(dependencies).toSorted()).toEqual(['@embedpdf/pdfium', 'libheif-js', 'sharp']);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(rest).not.toHaveProperty('scripts');
  });

  test('refuses a song without FFmpeg and keeps the upload; the doctor passes once FFmpeg is installed', async () => {
    const program = join(made, 'package/bin/sorpresa.cjs');
    const installed = join(made, 'package/node_modules');
    await mkdir(installed);
    /** Installs packages as npm does. */
    const install = async (...names: string[]) => {
      for (const name of names) await symlink(join(ROOT, 'node_modules', name), join(installed, name));
    };
    const DATA_DIR = join(folder, 'data');
    const doctor = () =>
      exec(process.execPath, [program, 'doctor'], {
        env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR },
      }).catch((error: unknown) => error as { code: number; stdout: string });
    await install('sharp', 'libheif-js', '@embedpdf', '@img');
    const server = await spawnServer({ dataDir: DATA_DIR, main: [program, 'start'] });
    const to = { url: server.url, cookie: await signUp(server) };
    const refused = await upload(to, 'canzone', join(MEDIA, 'song.m4a'));
    expect([refused.status, refused.body.codice]).toEqual([501, 'NO_FFMPEG']);
    const arrived = await call(to.url, 'GET', '/admin/uploads', undefined, to);
    expect(arrived.body).toMatchObject([{ nome: 'song.m4a', state: 'stopped', codice: 'NO_FFMPEG' }]);
    expect(await server.end('SIGTERM')).toBe(0);
    const missing = '✗ Film e canzoni non si possono preparare, perché manca FFmpeg';
    expect(await doctor()).toMatchObject({ code: 1, stdout: expect.stringContaining(missing) });
    await install('@seydx');
    const { stdout } = await doctor();
    expect(stdout).toContain('✓ Film, canzoni e immagini si possono preparare.');
    expect(stdout).toContain('Qui può funzionare tutto.');
  });
});

test('explains on an older Node how to continue', async () => {
  const older = join(folder, 'older');
  await mkdir(join(older, 'bin'), { recursive: true });
  await writeFile(join(older, 'package.json'), '{"version":"1.2.3","type":"module"}');
  const launcher = join(older, 'bin/sorpresa.cjs');
  await copyFile(join(ROOT, 'src/cli/launcher.cjs'), launcher);
  const version = "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } });";
  const script = `${version} process.argv.splice(1, 0, 'sorpresa'); require(${JSON.stringify(launcher)});`;
  const ended = await exec(process.execPath, ['-e', script, 'demo']).catch((error: unknown) => error);
  const stderr =
    'Serve Node 24 o più recente, e qui c’è il 20.19.0: installalo (https://nodejs.org), oppure prova con «npx -p node@26 -p ./sorpresa-1.2.3.tgz sorpresa demo».\n';
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr });
});

/** The release in a new user's empty folder. npm downloads packages once, and runs offline from then on. */

/** Runs `npx ./sorpresa-….tgz COMMAND`. Once it answers, calls `look` and interrupts it as with Ctrl+C. Returns the output. */
async function npx(
  cwd: string,
  command: string,
  { npm = [] as string[], as = {}, home = '', look = async (_url: string) => undefined as unknown } = {},
): Promise<string> {
  const child = spawn('npx', ['--yes', ...npm, `./${archive}`, command], {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 240_000,
    env: {
      ...OF_THE_MACHINE,
      PATH,
      npm_config_cache: join(folder, 'cache'),
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
  const place = join(folder, name);
  await mkdir(place);
  await copyFile(join(made, archive), join(place, archive));
  return place;
}

async function answers(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([200, { ok: true }]);
  const page = await fetch(url);
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Il tuo codice')]);
}

test('runs the demo from an empty folder, and npm installs only packages for this machine', async () => {
  const place = await emptyFolder('lì giù');
  await npx(place, 'demo', { look: answers });
  expect((await readdir(place)).toSorted()).toEqual(['data-demo', archive].toSorted());
  const installed = join(folder, 'cache/_npx');
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
  const [hash = ''] = await readdir(join(folder, 'cache/_npx'));
  const program = join(folder, 'cache/_npx', hash, 'node_modules/.bin/sorpresa');
  const env = { PATH, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'none') };
  const { stdout } = await exec(program, ['doctor'], { env });
  expect(stdout).toContain('Qui può funzionare tutto.');
});

test('starts the product without a network for an ordinary user, with its data in the same folder', async () => {
  expect(process.getuid?.(), 'Run this test as root, which can run commands as another user.').toBe(0);
  const place = await emptyFolder('così');
  await exec('chown', ['-R', '65534:65534', place, join(folder, 'cache')]);
  const output = await npx(place, 'start', { npm: ['--offline'], as: NOBODY, home: place, look: answers });
  expect(output).toMatch(/^La sorpresa si prepara qui: http:\/\/127\.0\.0\.1:\d+\/admin$/m);
  expect(await readdir(place)).toEqual(expect.arrayContaining(['data', archive]));
  expect(await readdir(join(place, 'data'))).toContain('sorpresa.db');
});
