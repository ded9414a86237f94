import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { plantedSecrets } from '../../scripts/planted.mjs';

/** What was about when the web was built: `npm test` tells what it has planted. */
const builtWith = process.env['WEB_BUILT_WITH'];
const SECRETS: Record<string, string> = builtWith ? JSON.parse(builtWith) : plantedSecrets();
const ROOT = resolve(import.meta.dirname, '../..');

let ownFolder: string | undefined;
let files: { path: string; content: string }[];

beforeAll(async () => {
  const folder = builtWith ? join(ROOT, 'dist', 'web') : await build();
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  files = await Promise.all(
    found
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return { path: path.slice(folder.length + 1), content: await readFile(path, 'latin1') };
      }),
  );
});
afterAll(async () => {
  if (ownFolder) await rm(ownFolder, { recursive: true, force: true });
});

/** A web of its own, where the test is run by itself: nobody knows what the one that is there was built with. Returns its folder. */
async function build(): Promise<string> {
  ownFolder = await mkdtemp(join(tmpdir(), 'sorpresa-web-'));
  // By the command and in the environment of `npm start`: the first page is drawn with React while it is
  // built, and a process that has loaded React's development build can't load the other one beside it.
  await promisify(execFile)(
    process.execPath,
    [
      join(ROOT, 'node_modules/vite/bin/vite.js'),
      'build',
      '--logLevel',
      'warn',
      '--outDir',
      ownFolder,
      '--emptyOutDir',
    ],
    { cwd: ROOT, env: { ...process.env, ...SECRETS, NODE_ENV: 'production' } },
  );
  return ownFolder;
}

test('the built web holds nothing of the environment or the machine it was built on', () => {
  expect(files.map(({ path }) => path)).toContain('index.html');
  expect(files.some(({ path }) => path.endsWith('.js'))).toBe(true);
  const forbidden = [...Object.values(SECRETS), ROOT, tmpdir()];
  const hits = files.flatMap(({ path, content }) =>
    forbidden.filter((text) => content.includes(text)).map((text) => `${path}: ${text}`),
  );
  expect(hits).toEqual([]);
});

test('the built web has no source maps', () => {
  expect(
    files.filter(({ path, content }) => path.endsWith('.map') || content.includes('sourceMappingURL=')),
  ).toEqual([]);
});

test('the built web has nothing that only development has: the gallery of scenes, signing in by itself', () => {
  // A word of the gallery's page, one of its scenes, and of what it shows.
  const signs = ['/dev/scene', 'inside another app', 'Ciao, Giulia', 'DEV_SIGN_IN', 'Not signed in'];
  const hits = files.flatMap(({ path, content }) =>
    signs.filter((sign) => path.includes(sign) || content.includes(sign)).map((sign) => `${path}: ${sign}`),
  );
  expect(hits).toEqual([]);
});

test('visitors’ pages know nothing of the server: its tables’ and settings’ names are not in them', () => {
  const names = ['cookie_hash', 'telegram_api_root', 'rate_limits', 'secret-encryption', 'better-auth'];
  const hits = files.flatMap(({ path, content }) =>
    names.filter((name) => content.toLowerCase().includes(name)).map((name) => `${path}: ${name}`),
  );
  expect(hits).toEqual([]);
});
