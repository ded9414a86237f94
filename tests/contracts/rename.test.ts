import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { renameHeld } from '../../src/server/storage/rename.ts';
import { newFolder } from '../support/server.ts';

let folder: string;
beforeEach(async () => {
  folder = await newFolder();
  await writeFile(join(folder, 'new'), 'new');
  await writeFile(join(folder, 'old'), 'old');
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Renames, but is refused so often before. */
function refusing(code: string, times: number) {
  let left = times;
  return vi.fn(async (from: Parameters<typeof rename>[0], to: Parameters<typeof rename>[1]) => {
    left -= 1;
    if (left >= 0) throw Object.assign(new Error(`${code}: rename`), { code });
    await rename(from, to);
  });
}

const move = (attempt: ReturnType<typeof refusing>) =>
  renameHeld(join(folder, 'new'), join(folder, 'old'), attempt);

test.each(['EPERM', 'EBUSY'])(
  'on Windows a file that is held for half a second (%s) gets its name',
  async (code) => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
    await move(refusing(code, 5));
    expect(await readdir(folder)).toEqual(['old']);
    expect(await readFile(join(folder, 'old'), 'utf8')).toBe('new');
  },
);

test('what waiting doesn’t cure is thrown at once', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('win32');
  const attempt = refusing('ENOSPC', 1);
  await expect(move(attempt)).rejects.toMatchObject({ code: 'ENOSPC' });
  expect(attempt).toHaveBeenCalledTimes(1);
});

test('elsewhere a refusal is one', async () => {
  vi.spyOn(process, 'platform', 'get').mockReturnValue('linux');
  const attempt = refusing('EPERM', 1);
  await expect(move(attempt)).rejects.toMatchObject({ code: 'EPERM' });
  expect(attempt).toHaveBeenCalledTimes(1);
  expect(await readFile(join(folder, 'old'), 'utf8')).toBe('old');
});
