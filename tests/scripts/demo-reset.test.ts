import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { resetDemo } from '../../demo/reset.ts';
import { DataDirInUse, ownDataDir } from '../../src/server/db/owner.ts';
import { newFolder } from '../support/server.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
  await writeFile(join(folder, 'demo.json'), '{}');
  await mkdir(join(folder, 'media'));
  await writeFile(join(folder, 'media', 'film'), 'x');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

test('a data folder that somebody is using is not touched', async () => {
  const disown = ownDataDir(folder, new Date());
  const before = await readdir(folder);
  expect(() => resetDemo(folder)).toThrow(DataDirInUse);
  expect(() => resetDemo(folder)).toThrow(`PID ${process.pid}`);
  expect(await readdir(folder)).toEqual(before);
  disown();
});

test('one that is the demo’s is emptied, and may be again', async () => {
  resetDemo(folder);
  expect((await readdir(folder)).filter((name) => !name.startsWith('sorpresa.lock'))).toEqual([]);
  expect(() => ownDataDir(folder, new Date())()).not.toThrow();
});

test('one that is not the demo’s is refused, one that isn’t there is left so', async () => {
  await rm(join(folder, 'demo.json'));
  expect(() => resetDemo(folder)).toThrow(/not made by the demo/);
  expect(existsSync(join(folder, 'media', 'film'))).toBe(true);
  resetDemo(join(folder, 'none'));
  expect(existsSync(join(folder, 'none'))).toBe(false);
});
