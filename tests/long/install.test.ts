import { execFile } from 'node:child_process';
import { copyFile, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pinnedNode } from '../../scripts/platform.mjs';
import { newFolder } from '../support/server.ts';

const ROOT = resolve(import.meta.dirname, '../..');

let copy: string;
beforeEach(async () => {
  copy = await newFolder();
  for (const name of ['package.json', 'package-lock.json'])
    await copyFile(join(ROOT, name), join(copy, name));
});
afterEach(() => rm(copy, { recursive: true, force: true }));

test.each([
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
  ['win32', 'x64'],
])('for %s %s npm installs exactly one Node, where it is looked for', async (platform, arch) => {
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await promisify(execFile)('npm', ['install', `--os=${platform}`, `--cpu=${arch}`, ...flags], { cwd: copy });
  const packages = (await readdir(join(copy, 'node_modules'))).filter((name) =>
    /^node-(bin-)?(linux|darwin|win)/.test(name),
  );
  const { folder = '', binary = '' } = pinnedNode(platform, arch) ?? {};
  expect(packages.map((name) => `node_modules/${name}`)).toEqual([folder]);
  expect((await stat(join(copy, binary))).size).toBeGreaterThan(10_000_000);
});
