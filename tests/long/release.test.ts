import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { call } from '../support/http.ts';
import { signUp } from '../support/http-evening.ts';
import { newFolder, spawnServer } from '../support/server.ts';
import { MEDIA, upload } from '../support/uploads.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const exec = promisify(execFile);

let folder: string;
beforeAll(async () => (folder = await newFolder()));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Component = { name: string; licenses: object[]; components?: Component[] };
type Bill = { bomFormat: string; components: Component[] };
type Package = { version: string; engines: { node: string }; dependencies: object };

describe('release of npm run release', () => {
  let made: string;
  let files: string[];
  const read = (name: string) => readFile(join(made, 'package', name), 'utf8');
  beforeAll(async () => {
    made = join(folder, 'là giù');
    await exec(process.execPath, [join(ROOT, 'scripts/release.mjs'), made], { env: { ...process.env } });
    const archive = (await readdir(made)).find((name) => name.endsWith('.tgz')) ?? '';
    await exec('tar', ['-xzf', archive], { cwd: made });
    const entries = await readdir(join(made, 'package'), { recursive: true, withFileTypes: true });
    files = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(made, 'package/').length));
  });

  test('is named by the version, with its bill of materials and the notices of included code', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Package;
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

    // Packages that npm installs with it, and their parts.
    const expectedRows = [
      ['@seydx/node-av-linux-x64', 'MIT', 'FFmpeg (GPL-3.0-or-later)', 'libfdk-aac (FDK-AAC)'],
      ['@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later', 'libvips (LGPL-3.0-or-later)'],
      ['libheif-js', 'LGPL-3.0', 'libde265 (LGPL-3.0-or-later)'],
      ['@embedpdf/pdfium', 'MIT', 'PDFium (BSD-3-Clause AND Apache-2.0)'],
      ['@img/sharp-linux-x64', 'Apache-2.0'],
      ['sharp', 'Apache-2.0'],
      ['@img/colour', 'MIT'],
      ['detect-libc', 'Apache-2.0'],
      ['semver', 'ISC'],
    ];
    const rows = notices.split('\n').map((line) => line.split(/ *\| *|, /));
    for (const cells of expectedRows) expect(rows).toContainEqual(expect.arrayContaining(cells));
    for (const kind of ['GENERAL', 'LESSER GENERAL'])
      expect(notices).toMatch(new RegExp(`^ +GNU ${kind} PUBLIC LICENSE\n +Version 3,`, 'm'));
    const { components: held } = components.find(({ name }) => name === '@seydx/node-av-linux-x64') ?? {};
    const ffmpeg = { name: 'FFmpeg', licenses: [{ expression: 'GPL-3.0-or-later' }] };
    expect(held).toContainEqual(expect.objectContaining(ffmpeg));
    const build = await readFile(join(ROOT, 'node_modules/@seydx/node-av-linux-x64/node-av.node'));
    for (const part of ['--enable-gpl --enable-version3', '--enable-libfdk-aac', '--enable-libx265'])
      expect(build.includes(part), part).toBe(true);
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
    const shipped = ['dist/web/index.html.br', 'demo/media/video.mp4'];
    expect(files).toEqual(expect.arrayContaining([...own, ...shipped]));
    const places = new Set(files.map((name) => name.split('/').slice(0, 2).join('/')));
    const pages = ['CHANGELOG.md', 'LICENSE', 'README.md', 'THIRD-PARTY.md', 'package.json'];
    const folders = ['demo/media', 'dist/web', 'src/cli', 'src/server', 'src/shared'];
    expect([...places].toSorted()).toEqual([...pages, ...folders, 'bin/sorpresa.cjs'].toSorted());
    expect(files.filter((name) => /\.(ts|tsx|map)$|test|\.vite/.test(name))).toEqual([]);
    const texts = files.filter((name) => /\.(js|cjs|json|md|html|css)$/.test(name));
    expect(texts.length).toBeGreaterThan(100);
    for (const name of texts) expect((await read(name)).includes(ROOT), name).toBe(false);
  });

  test('has no broken links on its first page', async () => {
    const readme = await read('README.md');
    const links = [...readme.matchAll(/\]\(([^)]+)\)|src="([^"]+)"/g)].map(
      ([, link, picture]) => link ?? picture,
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !/^https?:/.test(link ?? '') && !files.includes(link ?? ''))).toEqual([]);
    expect(readme).toContain('More: docs/architecture.md');
  });

  test('depends only on packages with native code, at one version each, and on Node 24', async () => {
    const { engines, dependencies, ...rest } = JSON.parse(await read('package.json')) as Package;
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
    const doctor = (env = {}) =>
      exec(process.execPath, [program, 'doctor'], {
        env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DATA_DIR, ...env },
      }).catch((error: unknown) => error as { code: number; stdout: string });
    await install('sharp', 'libheif-js', '@embedpdf', '@img');
    // An FFmpeg of the system makes no difference.
    const own = { FFMPEG: '/usr/bin/ffmpeg' };
    const server = await spawnServer({ dataDir: DATA_DIR, env: own, main: [program, 'start'] });
    const to = { url: server.url, cookie: await signUp(server) };
    const refused = await upload(to, 'canzone', join(MEDIA, 'song.m4a'));
    expect([refused.status, refused.body.codice]).toEqual([501, 'NO_FFMPEG']);
    const arrived = await call(to.url, 'GET', '/admin/uploads', undefined, to);
    expect(arrived.body).toMatchObject([{ nome: 'song.m4a', state: 'stopped', codice: 'NO_FFMPEG' }]);
    expect(await server.end('SIGTERM')).toBe(0);
    const missing = '✗ Film e canzoni non si possono preparare, perché manca FFmpeg';
    expect(await doctor(own)).toMatchObject({ code: 1, stdout: expect.stringContaining(missing) });
    await install('@seydx');
    const { stdout } = await doctor();
    expect(stdout).toContain('✓ Film, canzoni e immagini si possono preparare.');
    expect(stdout).toContain('Qui può funzionare tutto.');
  });
});

test('explains on an older Node how to continue', async () => {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3","type":"module"}');
  const launcher = join(folder, 'bin/sorpresa.cjs');
  await copyFile(join(ROOT, 'src/cli/launcher.cjs'), launcher);
  const older = "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } });";
  const script = `${older} process.argv.splice(1, 0, 'sorpresa'); require(${JSON.stringify(launcher)});`;
  const ended = await exec(process.execPath, ['-e', script, 'demo']).catch((error: unknown) => error);
  const stderr =
    'Serve Node 24 o più recente, e qui c’è il 20.19.0: installalo (https://nodejs.org), oppure prova con «npx -p node@26 -p ./sorpresa-1.2.3.tgz sorpresa demo».\n';
  expect(ended).toMatchObject({ code: 1, stdout: '', stderr });
});
