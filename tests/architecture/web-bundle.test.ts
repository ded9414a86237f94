import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { plantedSecrets } from '../../scripts/planted.mjs';

/** Secrets in the environment of the web's build; `npm test` passes the ones it planted. */
const builtWith = process.env['WEB_BUILT_WITH'];
const SECRETS: Record<string, string> = builtWith ? JSON.parse(builtWith) : plantedSecrets();
const ROOT = resolve(import.meta.dirname, '../..');

let ownFolder: string | undefined;
let files: { path: string; content: string }[];

beforeAll(async () => {
  const folder = builtWith ? join(ROOT, 'dist', 'web') : await build();
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const read = found
    .filter((entry) => entry.isFile())
    .map(async ({ parentPath, name }) => {
      const path = join(parentPath, name);
      return { path: path.slice(folder.length + 1), content: await readFile(path, 'latin1') };
    });
  files = await Promise.all(read);
  expect(files.map(({ path }) => path)).toContain('index.html');
});
afterAll(async () => {
  if (ownFolder) await rm(ownFolder, { recursive: true, force: true });
});

/**
 * Builds a separate web if the test runs alone, because the environment of an existing build is unknown. Returns its
 * folder.
 */
async function build(): Promise<string> {
  ownFolder = await mkdtemp(join(tmpdir(), 'sorpresa-web-'));
  // With the command and environment of `npm start`. The build renders the first page with React, and a process with
  // React's development build cannot load the production one.
  const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
  const env = { ...process.env, ...SECRETS, NODE_ENV: 'production' };
  const args = [...vite, '--outDir', ownFolder, '--emptyOutDir'];
  await promisify(execFile)(process.execPath, args, { cwd: ROOT, env });
  return ownFolder;
}

it.each<[string, readonly string[]]>([
  ['of the environment or the machine it was built on', [...Object.values(SECRETS), ROOT, tmpdir()]],
  ['that maps it to its sources', ['sourceMappingURL=', '.map\0']],
  // Text from the gallery's page, one of its scenes, its content, and the automatic sign-in.
  [
    'that only development has',
    ['/dev/scene', 'inside another app', 'Ciao, Giulia', 'DEV_SIGN_IN', 'Not signed in'],
  ],
  [
    'of the server’s tables and settings',
    [
      'cookie_hash',
      'TELEGRAM_API_ROOT',
      'telegram_api_root',
      'rate_limits',
      'secret-encryption',
      'better-auth',
    ],
  ],
])('has nothing %s', (_what, forbidden) => {
  const hits = files.flatMap(({ path, content }) =>
    forbidden.filter((text) => `${path}\0${content}`.includes(text)).map((text) => `${path}: ${text}`),
  );
  expect(hits).toEqual([]);
});
