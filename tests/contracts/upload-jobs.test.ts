import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createJobs, type End, type Job, type Jobs } from '../../src/server/features/uploads/jobs.ts';
import type { Course } from '../../src/server/media-worker/worker.ts';

const SECOND = 1_000;
/** By the tests' clock. */
const delay = (ms: number) => new Promise((wake) => setTimeout(wake, ms));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Begun = { job: Job; course: Course; ends(end: End): Promise<void>; fails(error: Error): Promise<void> };

/** Work that goes on until it is told how it ends, or is stopped. */
function begin(jobs: Jobs, id = 'a'): Begun {
  const { promise, resolve, reject } = Promise.withResolvers<End>();
  let course: Course | undefined;
  const job = jobs.of(id, (its) => {
    course = its;
    its.signal.addEventListener('abort', () => reject(its.signal.reason));
    return promise;
  });
  if (course === undefined) throw new Error('Another one is under way.');
  const settled = async () => void (await vi.advanceTimersByTimeAsync(0));
  return {
    job,
    course,
    ends(end) {
      resolve(end);
      return settled();
    },
    fails(error) {
      reject(error);
      return settled();
    },
  };
}

describe('how long it still takes', () => {
  const waiting = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));
  const left = ({ job }: Begun) => job.working().secondsLeft;

  test('is told from two seconds and two hundredths on, by the pace since its turn came', async () => {
    const work = begin(createJobs());
    await waiting(60 * SECOND);
    expect(work.job.working()).toEqual({ waiting: true, progress: 0, secondsLeft: null });
    work.course.progress(0);
    work.course.progress(0.5);
    await waiting(2 * SECOND - 1);
    expect(work.job.working()).toEqual({ waiting: false, progress: 0.5, secondsLeft: null });
    await waiting(1);
    expect(left(work)).toBeCloseTo(2);
    await waiting(8 * SECOND);
    work.course.progress(0.8);
    expect(left(work)).toBeCloseTo(2.5);
  });

  test('isn’t told of less than that', async () => {
    const work = begin(createJobs());
    work.course.progress(0.019);
    await waiting(10 * SECOND);
    expect(left(work)).toBeNull();
    work.course.progress(0.02);
    expect(left(work)).toBeCloseTo(490);
  });

  test('is what was expected, until its own pace tells or it is late', async () => {
    const work = begin(createJobs());
    work.course.progress(0.5);
    await waiting(30 * SECOND);
    work.course.expects?.(230);
    await waiting(30 * SECOND);
    expect(left(work)).toBeCloseTo(200);
    await waiting(199 * SECOND);
    expect(left(work)).toBeCloseTo(1);
    await waiting(SECOND);
    expect(left(work)).toBeNull();
    work.course.progress(0.73);
    expect(left(work)).toBeCloseTo(270);
  });

  test('isn’t told where less than five seconds were expected', async () => {
    const work = begin(createJobs());
    work.course.progress(0);
    work.course.expects?.(4.9);
    expect(left(work)).toBeNull();
    work.course.expects?.(5);
    expect(left(work)).toBeCloseTo(5);
  });

  test('nothing goes back, nor beyond the whole', () => {
    const work = begin(createJobs());
    for (const [share, progress] of [
      [0.5, 0.5],
      [0.3, 0.5],
      [1.2, 1],
    ] as const) {
      work.course.progress(share);
      expect(work.job.working().progress).toBe(progress);
    }
  });
});

describe('an upload', () => {
  test('has one job at a time', async () => {
    const jobs = createJobs();
    const first = begin(jobs);
    expect(jobs.of('a', () => expect.unreachable())).toBe(first.job);
    expect([jobs.find('a'), jobs.count(), jobs.isBusy()]).toEqual([first.job, 1, true]);
    const other = begin(jobs, 'b');
    expect(jobs.count()).toBe(2);
    await first.ends({ kept: true });
    expect([jobs.find('a'), jobs.find('b'), jobs.count()]).toEqual([undefined, other.job, 1]);
    await other.ends({ kept: true });
    expect([jobs.count(), jobs.isBusy()]).toEqual([0, false]);
    expect(begin(jobs).job).not.toBe(first.job);
  });

  test.each([
    [{ kept: true }, undefined],
    [{ refused: 'NOT_FOUND' }, undefined],
    [{ refused: 'FILE_BROKEN' }, undefined],
    [{ refused: 'STORAGE_FULL' }, 'STORAGE_FULL'],
    [{ refused: 'UNAVAILABLE' }, 'UNAVAILABLE'],
  ] as const)('that ended by %j may be begun again by itself', async (end, hindrance) => {
    const jobs = createJobs();
    await begin(jobs).ends(end);
    expect([jobs.hindrance('a'), jobs.hasFailed('a')]).toEqual([hindrance, false]);
  });

  test('is not retried without FFmpeg before the next start', async () => {
    const jobs = createJobs();
    await begin(jobs).ends({ refused: 'NO_FFMPEG' });
    expect([jobs.hindrance('a'), jobs.hasFailed('a')]).toEqual(['NO_FFMPEG', true]);
  });

  test('that failed as nobody expected isn’t, until somebody begins it again', async () => {
    const jobs = createJobs();
    const { job, fails } = begin(jobs);
    const told = expect(job.end).rejects.toThrow('odd');
    await fails(new Error('odd'));
    await told;
    expect([jobs.hindrance('a'), jobs.hasFailed('a'), jobs.isBusy()]).toEqual(['UNAVAILABLE', true, false]);
    jobs.tooLittle.set('a', 100);
    begin(jobs);
    expect([jobs.hindrance('a'), jobs.hasFailed('a'), jobs.tooLittle.has('a')]).toEqual([
      undefined,
      false,
      false,
    ]);
  });
});

test('who waits until nothing is under way is told after the last one', async () => {
  const jobs = createJobs();
  const busy: boolean[] = [];
  const forget = jobs.onRest(() => void busy.push(jobs.isBusy()));
  const [first, second] = [begin(jobs, 'a'), begin(jobs, 'b')];
  await first.ends({ kept: true });
  expect(busy).toEqual([]);
  await second.ends({ kept: true });
  expect(busy).toEqual([false]);
  forget();
  await begin(jobs).ends({ kept: true });
  expect(busy).toEqual([false]);
});

describe('stopped', () => {
  /** Work that takes a while to end once it is stopped. */
  const slow = (jobs: Jobs, id: string) =>
    jobs.of(id, async ({ signal }) => {
      await new Promise((stopped) => signal.addEventListener('abort', stopped));
      await delay(5 * SECOND);
      throw signal.reason;
    });

  test('is one, and its end waited for', async () => {
    const jobs = createJobs();
    const [first, second] = [slow(jobs, 'a'), slow(jobs, 'b')];
    const stopped = vi.fn<() => void>();
    void jobs.stop('a').then(stopped);
    await vi.advanceTimersByTimeAsync(4 * SECOND);
    expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
    expect(stopped).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(stopped).toHaveBeenCalledOnce();
    expect(jobs.find('a')).toBeUndefined();
    await jobs.stop('nobody’s');
  });

  test('are all at the end, and whatever is asked for afterwards before it begins', async () => {
    const jobs = createJobs();
    for (const id of ['a', 'b']) slow(jobs, id);
    const closed = vi.fn<() => void>();
    void jobs.close().then(closed);
    await vi.advanceTimersByTimeAsync(4 * SECOND);
    expect(closed).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(SECOND);
    expect(closed).toHaveBeenCalledOnce();
    expect(jobs.count()).toBe(0);
    const late = vi.fn<(course: Course) => Promise<End>>(async ({ signal }) => {
      signal.throwIfAborted();
      return { kept: true };
    });
    await expect(jobs.of('c', late).end).rejects.toThrow('Stopped');
  });
});
