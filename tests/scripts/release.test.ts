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

type Package = { version: string; engines: { node: string }; dependencies: object };

describe('what npm run release makes', () => {
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

  test('is named by the version, with its bill of materials beside it', async () => {
    const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Package;
    expect((await readdir(made)).toSorted()).toEqual([
      'package',
      `sorpresa-${version}.sbom.json`,
      `sorpresa-${version}.tgz`,
    ]);
    const bill = JSON.parse(await readFile(join(made, `sorpresa-${version}.sbom.json`), 'utf8')) as {
      bomFormat: string;
      components: { name: string }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['react', 'kysely', 'sharp', 'libheif-js', '@seydx/node-av-linux-x64']),
    );
  });

  test('holds what runs, and no test, no source, no map', () => {
    expect(files).toEqual(
      expect.arrayContaining([
        'package.json',
        'bin/sorpresa.cjs',
        'CHANGELOG.md',
        'LICENSE',
        'THIRD-PARTY.md',
        'src/program/sorpresa.js',
        'src/server/media-worker/child/main.js',
        'src/server/media-worker/child/guard.js',
        'dist/web/index.html.br',
        'demo/media/video.mp4',
      ]),
    );
    const places = new Set(files.map((name) => name.split('/').slice(0, 2).join('/')));
    expect([...places].toSorted()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'THIRD-PARTY.md',
      'bin/sorpresa.cjs',
      'demo/media',
      'dist/web',
      'package.json',
      'src/program',
      'src/server',
      'src/shared',
    ]);
    expect(files.filter((name) => /\.(ts|tsx|map)$|test|\.vite/.test(name))).toEqual([]);
  });

  test('says nowhere where it was made', async () => {
    const texts = files.filter((name) => /\.(js|cjs|json|md|html|css)$/.test(name));
    expect(texts.length).toBeGreaterThan(100);
    for (const name of texts) expect((await read(name)).includes(ROOT), name).toBe(false);
  });

  test('asks npm for programs of the machine’s alone, at one version each, and for Node 24', async () => {
    const { engines, dependencies, ...rest } = JSON.parse(await read('package.json')) as Package;
    expect(engines).toEqual({ node: '>=24' });
    expect(Object.keys(dependencies).toSorted()).toEqual(['@embedpdf/pdfium', 'libheif-js', 'sharp']);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(rest).not.toHaveProperty('scripts');
  });

  /** As npm does. */
  async function install(...names: string[]): Promise<void> {
    const installed = join(made, 'package/node_modules');
    await rm(installed, { recursive: true, force: true });
    await mkdir(installed);
    for (const name of names) await symlink(join(ROOT, 'node_modules', name), join(installed, name));
  }

  const program = () => join(made, 'package/bin/sorpresa.cjs');
  const env = () => ({
    PATH: process.env.PATH,
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: join(folder, 'data'),
  });

  test('refuses a song on a machine without a build of FFmpeg, and keeps the upload', async () => {
    await install('sharp', 'libheif-js', '@embedpdf', '@img');
    // A system's own makes no difference.
    const own = { FFMPEG: '/usr/bin/ffmpeg' };
    const dataDir = await newFolder();
    const server = await spawnServer({ dataDir, env: own, main: [program(), 'start'] });
    const to = { url: server.url, cookie: await signUp(server) };
    const refused = await upload(to, 'canzone', join(MEDIA, 'song.m4a'));
    expect([refused.status, refused.body.codice]).toEqual([501, 'NO_FFMPEG']);
    const arrived = await call(to.url, 'GET', '/admin/uploads', undefined, to);
    expect(arrived.body).toMatchObject([{ nome: 'song.m4a', state: 'stopped', codice: 'NO_FFMPEG' }]);
    expect(await server.end('SIGTERM')).toBe(0);
    await rm(dataDir, { recursive: true, force: true });
    const doctor = await exec(process.execPath, [program(), 'doctor'], { env: { ...env(), ...own } }).catch(
      (error: unknown) => error,
    );
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('✗ Film e canzoni non si possono lavorare, perché manca FFmpeg'),
    });
  });

  test('can do everything with what npm installs for it, and nothing else', async () => {
    await install('sharp', 'libheif-js', '@embedpdf', '@seydx', '@img');
    const { stdout } = await exec(process.execPath, [program(), 'doctor'], { env: env() });
    expect(stdout).toContain('✓ Film, canzoni e immagini si possono lavorare.');
    expect(stdout).toContain('Qui può funzionare tutto.');
  });

  test('names whose code is inside', async () => {
    const notices = await read('THIRD-PARTY.md');
    for (const name of [
      'react',
      'kysely',
      'better-auth',
      'node-av',
      '@fontsource-variable/figtree',
      '@fontsource-variable/fraunces',
      'Allura',
    ])
      expect(notices).toMatch(new RegExp(`^## ${name} .*\\(.+\\)$`, 'm'));
    expect(notices).not.toContain('(null)');
  });
});

test('on an older Node it says in a sentence how to go on', async () => {
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'package.json'), '{"version":"1.2.3","type":"module"}');
  await copyFile(join(ROOT, 'src/program/launcher.cjs'), join(folder, 'bin/sorpresa.cjs'));
  const older = "Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } });";
  const script = `${older} process.argv.splice(1, 0, 'sorpresa'); require(${JSON.stringify(join(folder, 'bin/sorpresa.cjs'))});`;
  const ended = await exec(process.execPath, ['-e', script, 'demo']).catch((error: unknown) => error);
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect((ended as { stderr: string }).stderr).toBe(
    'Serve Node 24 o più recente, e qui c’è il 20.19.0: installalo (https://nodejs.org), oppure prova con «npx -p node@26 -p ./sorpresa-1.2.3.tgz sorpresa demo».\n',
  );
});
