import fs from 'node:fs';
import { readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { contiguousChunks, splitChunks } from '../../src/server/features/uploads/upload-bucket.ts';
import {
  type DiskUploads,
  forgetUpload,
  newUploadId,
  openUploadFolder,
  type RefusedUpload,
} from '../../src/server/features/uploads/upload-folder.ts';
import {
  createJobs,
  type Job,
  type JobResult,
  type Jobs,
} from '../../src/server/features/uploads/uploads.ts';
import type { TaskControl } from '../../src/server/media-worker/worker.ts';
import { newFolder } from '../support/server.ts';

const SECOND = 1_000;

describe('job of an upload', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));

  type StartedJob = {
    job: Job;
    course: TaskControl;
    ends(end: JobResult): Promise<void>;
    fails(error: Error): Promise<void>;
  };

  /** Starts a job that runs until it is ended by the test or stopped. */
  function begin(jobs: Jobs, id = 'a'): StartedJob {
    const { promise, resolve, reject } = Promise.withResolvers<JobResult>();
    let course: TaskControl | undefined;
    const job = jobs.getOrStart(id, (its) => {
      course = its;
      its.signal.addEventListener('abort', () => reject(its.signal.reason));
      return promise;
    });
    if (course === undefined) throw new Error('Another one is under way.');
    const settled = (settle: () => void) => {
      settle();
      return pass(0);
    };
    return {
      job,
      course,
      ends: (end) => settled(() => resolve(end)),
      fails: (error) => settled(() => reject(error)),
    };
  }
  const left = ({ job }: StartedJob) => job.working().secondsLeft;

  it('reports its remaining time after two seconds and 2 %, by the rate since its turn came', async () => {
    const work = begin(createJobs());
    await pass(60 * SECOND);
    expect(work.job.working()).toEqual({ waiting: true, progress: 0, secondsLeft: null });
    work.course.progress(0);
    work.course.progress(0.5);
    await pass(2 * SECOND - 1);
    expect(work.job.working()).toEqual({ waiting: false, progress: 0.5, secondsLeft: null });
    await pass(1);
    expect(left(work)).toBeCloseTo(2);
    const slow = begin(createJobs());
    slow.course.progress(0.019);
    await pass(10 * SECOND);
    expect(left(slow)).toBeNull();
    slow.course.progress(0.02);
    expect(left(slow)).toBeCloseTo(490);
  });

  it('reports the expected time, from five seconds on, until its own rate is known or it is late', async () => {
    const work = begin(createJobs());
    work.course.progress(0.5);
    work.course.estimate?.(4.9);
    expect(left(work)).toBeNull();
    work.course.estimate?.(5);
    expect(left(work)).toBeCloseTo(5);
    await pass(4 * SECOND);
    expect(left(work)).toBeCloseTo(1);
    await pass(SECOND);
    expect(left(work)).toBeNull();
  });

  it('never reports less progress than before, or more than 1', () => {
    const work = begin(createJobs());
    const shares = [0.5, 0.3, 1.2].map((share) => {
      work.course.progress(share);
      return work.job.working().progress;
    });
    expect(shares).toEqual([0.5, 0.5, 1]);
  });

  it('is the only one of its upload, and reports when none is left', async () => {
    const jobs = createJobs();
    const busy: boolean[] = [];
    const forget = jobs.onIdle(() => void busy.push(jobs.isBusy()));
    const [first, other] = [begin(jobs), begin(jobs, 'b')];
    expect(jobs.getOrStart('a', () => expect.unreachable())).toBe(first.job);
    expect([jobs.find('a'), jobs.count(), jobs.isBusy()]).toEqual([first.job, 2, true]);
    await first.ends({ kept: true });
    expect([jobs.find('a'), jobs.find('b'), jobs.count(), busy]).toEqual([undefined, other.job, 1, []]);
    await other.ends({ kept: true });
    expect([jobs.count(), jobs.isBusy(), busy]).toEqual([0, false, [false]]);
    forget();
    const again = begin(jobs);
    expect(again.job).not.toBe(first.job);
    await again.ends({ kept: true });
    expect(busy).toEqual([false]);
  });

  it('may be started again automatically after an expected end', async () => {
    for (const [end, blocker] of [
      [{ kept: true }, undefined],
      [{ refused: 'FILE_BROKEN' }, undefined],
      [{ refused: 'STORAGE_FULL' }, 'STORAGE_FULL'],
      [{ refused: 'NO_FFMPEG' }, 'NO_FFMPEG'],
    ] as const) {
      const jobs = createJobs();
      await begin(jobs).ends(end);
      expect([jobs.blockReason('a'), jobs.hasFailed('a')]).toEqual([blocker, blocker === 'NO_FFMPEG']);
    }
    const jobs = createJobs();
    const { job, fails } = begin(jobs);
    const result = expect(job.end).rejects.toThrow('odd');
    await fails(new Error('odd'));
    await result;
    expect([jobs.blockReason('a'), jobs.hasFailed('a'), jobs.isBusy()]).toEqual(['UNAVAILABLE', true, false]);
    jobs.freeWhenFull.set('a', 100);
    begin(jobs);
    expect([jobs.blockReason('a'), jobs.hasFailed('a'), jobs.freeWhenFull.size]).toEqual([
      undefined,
      false,
      0,
    ]);
  });

  it('is awaited when stopped; none starts after closing', async () => {
    /** Starts a job that takes a while to end once it is stopped. */
    const slow = (jobs: Jobs, id: string) =>
      jobs.getOrStart(id, async ({ signal }) => {
        await new Promise((stopped) => signal.addEventListener('abort', stopped));
        await new Promise((wake) => setTimeout(wake, 5 * SECOND));
        throw signal.reason;
      });
    const jobs = createJobs();
    const [first, second] = [slow(jobs, 'a'), slow(jobs, 'b')];
    const expectEnd = async (ending: Promise<void>) => {
      const ended = vi.fn();
      void ending.then(ended);
      await pass(4 * SECOND);
      expect(ended).not.toHaveBeenCalled();
      await pass(SECOND);
      expect(ended).toHaveBeenCalledOnce();
    };
    const stopping = jobs.stop('a');
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
    await expectEnd(stopping);
    expect([jobs.find('a'), jobs.count()]).toEqual([undefined, 1]);
    await jobs.stop('nobody’s');
    await expectEnd(jobs.close());
    expect(jobs.count()).toBe(0);
    const late = async ({ signal }: TaskControl): Promise<JobResult> => {
      signal.throwIfAborted();
      return { kept: true };
    };
    await expect(jobs.getOrStart('c', late).end).rejects.toThrow('Stopped');
  });
});

describe('folder of uploads', () => {
  let directory: string;
  let folder: DiskUploads;
  beforeEach(async () => {
    directory = await newFolder();
    folder = await openUploadFolder(directory);
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  const id = newUploadId();
  const write = (...suffixes: string[]) =>
    Promise.all(suffixes.map((suffix) => writeFile(`${folder.pathOf(id)}${suffix}`, 'old')));

  it('is cleared of an attempt’s output, before the next one and after it', async () => {
    await write('', '.made', '.beside', '.many');
    const seen = await folder.withMade(id, async ({ made }) => {
      const before = await readdir(directory);
      await writeFile(made, 'new');
      return before;
    });
    expect([seen, await readdir(directory)]).toEqual([[id], [id]]);
    const failing = folder.withMade(id, async ({ beside }) => {
      await writeFile(beside, 'new');
      throw new Error('broken');
    });
    await expect(failing).rejects.toThrow('broken');
    expect(await readdir(directory)).toEqual([id]);
  });

  it('stores the reason of a refused upload until it is forgotten', async () => {
    const refused: RefusedUpload = { slot: 'video', filename: 'a.mp4', size: 3, codice: 'FILE_BROKEN' };
    expect(await folder.refused(id)).toBeNull();
    await write('', '.json', '.made');
    await folder.remove(id, refused);
    expect(await folder.refused(id)).toEqual(refused);
    await expect(stat(folder.pathOf(id))).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(`${folder.pathOf(id)}.refused`, '{"slot":"vid');
    expect(await folder.refused(id)).toBeNull();
    await forgetUpload(folder, id);
    expect(await readdir(directory)).toEqual([]);
  });

  it('accepts only upload ids as names, and no path outside', async () => {
    await write('', '.json');
    await writeFile(join(directory, 'notes.txt'), 'mine');
    expect(await folder.list()).toEqual([]);
    const entries = (await folder.entries()).map((entry) => [entry.name, entry.id]);
    const expected = [
      [id, id],
      [`${id}.json`, id],
      ['notes.txt', null],
    ];
    expect(entries.toSorted()).toEqual(expected.toSorted());
    const announced = { id, size: 3, offset: 0, metadata: { slot: 'video', filename: 'a.mp4' } };
    await writeFile(`${folder.pathOf(id)}.json`, JSON.stringify(announced));
    expect(await folder.list()).toMatchObject([{ id, size: 3, offset: 3, slot: 'video' }]);
    expect(() => folder.pathOf(`../${id}`)).toThrow(TypeError);
  });

  it('is not created in the background: a folder that disappears then crashes nothing', async () => {
    const made = vi.spyOn(fs, 'mkdir');
    await openUploadFolder(join(directory, 'another'));
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

describe('chunks of a stream', () => {
  const MIB = 1024 * 1024;
  async function* chunks(sizes: readonly number[], error?: Error): AsyncGenerator<Buffer> {
    for (const [n, size] of sizes.entries()) yield Buffer.alloc(size, n + 1);
    if (error !== undefined) throw error;
  }
  const all = async (stream: AsyncIterable<Buffer>) => {
    const seen: Buffer[] = [];
    for await (const each of stream) seen.push(each);
    return seen;
  };

  it('have 8 MiB, and lose or move none of its bytes', async () => {
    const sizes = [3 * MIB, 6 * MIB, 1, 20 * MIB, 5];
    const pieces = await all(splitChunks(chunks(sizes)));
    expect(pieces.map(({ length }) => length)).toEqual([8 * MIB, 8 * MIB, 8 * MIB, 5 * MIB + 6]);
    expect(Buffer.concat(pieces).equals(Buffer.concat(await all(chunks(sizes))))).toBe(true);
    expect(await all(splitChunks(chunks([])))).toEqual([]);
    expect(await all(splitChunks(chunks([8 * MIB])))).toHaveLength(1);
    const seen: number[] = [];
    const reading = async () => {
      for await (const { length } of splitChunks(chunks([8 * MIB, 100], new Error('cut')))) seen.push(length);
    };
    await expect(reading()).rejects.toThrow('cut');
    expect(seen).toEqual([8 * MIB, 100]);
  });

  it.each([
    ['what doesn’t begin at the beginning', '5-9', ''],
    ['up to a gap', '6-9 0-3 3-5', '0-3 3-5'],
    ['a piece that was written late beside another', '0-4 4-6 4-9', '0-4 4-9'],
    ['overlapping ones', '0-4 2-9 7-12 8-10', '0-4 2-9 7-12'],
  ])('are read without a gap: %s', (_what, pieces, expectedPieces) => {
    const read = (text: string) =>
      text.split(' ').flatMap((piece) => {
        const [start = 0, end] = piece.split('-').map(Number);
        return end === undefined ? [] : { start, end };
      });
    expect(contiguousChunks(read(pieces))).toEqual(read(expectedPieces));
  });
});
