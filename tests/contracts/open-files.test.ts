import type { FileHandle } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createOpenFiles, type OpenFiles } from '../../src/server/storage/open-files.ts';

const KEPT = 2_000;

let files: OpenFiles;
/** What was opened: is it open still? */
let opened: boolean[];
beforeEach(() => {
  vi.useFakeTimers();
  files = createOpenFiles();
  opened = [];
});
afterEach(() => void vi.useRealTimers());

async function handle(): Promise<FileHandle> {
  const n = opened.push(true) - 1;
  const read = vi.fn(async (into: Buffer, at: number, length: number, position: number) => {
    if (!opened[n]) throw new Error('closed');
    return { bytesRead: into.write(String(n).repeat(3).slice(position), at, length) };
  });
  const close = async () => void (opened[n] = false);
  // All that is asked of one.
  return { read, close } as unknown as FileHandle;
}
const open = (key = 'a') => files.open(key, handle);
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('a file is opened once for all who read it, and stays open while one of them does', async () => {
  const [first, second] = await Promise.all([open(), open()]);
  const other = await open('b');
  expect(opened).toEqual([true, true]);
  first.close();
  first.close();
  await pass(10 * KEPT);
  expect(opened).toEqual([true, true]);
  const into = Buffer.alloc(2);
  expect([await second.read(into, 1), into.toString()]).toEqual([2, '00']);
  expect([await other.read(into, 2), into.toString()]).toEqual([1, '10']);
  second.close();
  await pass(KEPT);
  expect(opened).toEqual([false, true]);
});

test('it is kept for two seconds after the last one, whoever comes meanwhile', async () => {
  (await open()).close();
  await pass(KEPT - 1);
  (await open()).close();
  await pass(KEPT - 1);
  const late = await open();
  await pass(KEPT);
  expect(opened).toEqual([true]);
  late.close();
  await pass(KEPT - 1);
  expect(opened).toEqual([true]);
  await pass(1);
  expect(opened).toEqual([false]);
  await open();
  expect(opened).toEqual([false, true]);
});

test('who reads a file that is replaced or removed goes on to its end; who comes then gets the new one', async () => {
  const [gone, old] = await Promise.all([open(), open()]);
  files.forget('a');
  gone.close();
  await pass(KEPT);
  expect(opened).toEqual([true]);
  const fresh = await open();
  const into = Buffer.alloc(1);
  for (const [file, text] of [
    [old, '0'],
    [fresh, '1'],
  ] as const) {
    await file.read(into, 0);
    expect(into.toString()).toBe(text);
  }
  old.close();
  await pass(0);
  expect(opened).toEqual([false, true]);
  await open();
  expect(opened).toEqual([false, true]);
});

test('one that nobody reads is closed as soon as it is forgotten', async () => {
  (await open()).close();
  files.forget('a');
  files.forget('b');
  await pass(0);
  expect(opened).toEqual([false]);
  await open();
  await pass(10 * KEPT);
  expect(opened).toEqual([false, true]);
});

test('one that can’t be opened is tried again by whoever comes next', async () => {
  const missing = () => Promise.reject(new Error('gone'));
  await expect(files.open('a', missing)).rejects.toThrow('gone');
  await open();
  expect(opened).toEqual([true]);
});
