import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toolPath } from '../../scripts/tools.mjs';
import { newFolder } from '../support/server.ts';

/** The unit as systemd reads it. It isn't started: that needs a machine whose first process is systemd. */

const OPS = resolve(import.meta.dirname, '../../ops/systemd');
const run = promisify(execFile);
const analyze = (...args: string[]) => run(toolPath('operation', 'systemd-analyze'), args);

let folder: string;
beforeAll(async () => {
  folder = await newFolder();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('is read without a complaint', async () => {
  // The programs that it names must exist.
  const programs = join(folder, 'opt/node_modules/.bin');
  await mkdir(programs, { recursive: true });
  await writeFile(join(programs, 'node'), '');
  await chmod(join(programs, 'node'), 0o755);
  const text = await readFile(join(OPS, 'sorpresa.service'), 'utf8');
  const unit = join(folder, 'sorpresa.service');
  await writeFile(unit, text.replaceAll('/opt/sorpresa', join(folder, 'opt')));
  expect(await analyze('verify', unit)).toEqual({ stdout: '', stderr: '' });
});

describe('exposure of the unit', () => {
  /** Returns the exposure as systemd rates it: 0 allows nothing, 10 everything. */
  async function exposure(...dropIns: string[]): Promise<number> {
    const units = join(folder, 'root/etc/systemd/system');
    await rm(units, { recursive: true, force: true });
    await mkdir(join(units, 'sorpresa.service.d'), { recursive: true });
    await cp(join(OPS, 'sorpresa.service'), join(units, 'sorpresa.service'));
    for (const name of dropIns) await cp(join(OPS, name), join(units, 'sorpresa.service.d', name));
    const where = ['--offline=true', `--root=${join(folder, 'root')}`, 'sorpresa.service'];
    const { stdout } = await analyze('security', ...where);
    return Number(/exposure level for sorpresa\.service: ([\d.]+)/.exec(stdout)?.[1]);
  }

  test('is low, and hardly higher with the ports of https', async () => {
    expect(await exposure()).toBeLessThanOrEqual(1.5);
    expect(await exposure('https.conf')).toBeLessThanOrEqual(1.7);
  });
});
