import fs from 'node:fs';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type DiskUploads,
  newUploadId,
  openUploadFolder,
  type RefusedUpload,
} from '../../src/server/features/uploads/upload-folder.ts';

let directory: string;
let folder: DiskUploads;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sorpresa-'));
  folder = await openUploadFolder(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const refused: RefusedUpload = { slot: 'video', filename: 'a.mp4', size: 3, codice: 'FILE_BROKEN' };
const write = (id: string, ...suffixes: string[]) =>
  Promise.all(suffixes.map((suffix) => writeFile(`${folder.pathOf(id)}${suffix}`, 'old')));

test('what a killed try has made of an upload is gone before the next one begins, and after it', async () => {
  const id = newUploadId();
  await write(id, '', '.made', '.beside', '.many');
  const seen = await folder.withMade(id, async ({ made }) => {
    const before = await readdir(directory);
    await writeFile(made, 'new');
    return before;
  });
  expect([seen, await readdir(directory)]).toEqual([[id], [id]]);
});

test('a try that fails leaves nothing either', async () => {
  const id = newUploadId();
  const failing = folder.withMade(id, async ({ beside }) => {
    await writeFile(beside, 'new');
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  expect(await readdir(directory)).toEqual([]);
});

test('of a refused upload why it was is kept, and nothing else; forgotten it leaves nothing', async () => {
  const id = newUploadId();
  await write(id, '', '.json', '.made');
  await folder.remove(id, refused);
  expect(await folder.refused(id)).toEqual(refused);
  expect((await stat(`${folder.pathOf(id)}.refused`)).size).toBeGreaterThan(0);
  await expect(stat(folder.pathOf(id))).rejects.toMatchObject({ code: 'ENOENT' });
  await folder.forget(id);
  expect(await readdir(directory)).toEqual([]);
});

test('one that wasn’t refused, or whose memory is torn, has no reason', async () => {
  const id = newUploadId();
  expect(await folder.refused(id)).toBeNull();
  await writeFile(`${folder.pathOf(id)}.refused`, '{"slot":"vid');
  expect(await folder.refused(id)).toBeNull();
});

test('only names of ours are an upload’s, and lead nowhere else', async () => {
  const id = newUploadId();
  await write(id, '', '.json');
  await writeFile(join(directory, 'notes.txt'), 'mine');
  const entries = await folder.entries();
  expect(entries.map((entry) => [entry.name, entry.id]).toSorted()).toEqual(
    [
      [id, id],
      [`${id}.json`, id],
      ['notes.txt', null],
    ].toSorted(),
  );
  expect(await folder.list()).toEqual([{ id, upload: null }]);
  expect(() => folder.pathOf(`../${id}`)).toThrow(TypeError);
});

test('once it is open nothing is still at work on it: a folder that goes away then ends nothing', async () => {
  const made = vi.spyOn(fs, 'mkdir');
  await openUploadFolder(join(directory, 'another'));
  expect(made).not.toHaveBeenCalled();
  made.mockRestore();
});
