import fs from 'node:fs';
import { readdir, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { HEAVY } from '../../src/domain/limits.ts';
import type { SlotName } from '../../src/domain/media-slots.ts';
import { createJobs, type End, type Job, type Jobs } from '../../src/server/features/uploads/jobs.ts';
import { make } from '../../src/server/features/uploads/make.service.ts';
import { inOrder, piecesOf } from '../../src/server/features/uploads/pieces.ts';
import { refusalOf } from '../../src/server/features/uploads/refusal.ts';
import {
  type DiskUploads,
  newUploadId,
  openUploadFolder,
  type RefusedUpload,
} from '../../src/server/features/uploads/upload-folder.ts';
import { FILE_PROBLEMS, type FileProblem } from '../../src/server/media-worker/door.ts';
import type { Course, MediaWorker, Outcome, Work } from '../../src/server/media-worker/worker.ts';
import { quiet } from '../support/media-work.ts';
import { newFolder } from '../support/server.ts';

const SECOND = 1_000;

describe('the work on an upload', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
  const pass = async (ms: number) => void (await vi.advanceTimersByTimeAsync(ms));

  type Begun = {
    job: Job;
    course: Course;
    ends(end: End): Promise<void>;
    fails(error: Error): Promise<void>;
  };

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
  const left = ({ job }: Begun) => job.working().secondsLeft;

  it('tells how long it takes after two seconds and two hundredths, by the pace since its turn came', async () => {
    const work = begin(createJobs());
    await pass(60 * SECOND);
    expect(work.job.working()).toEqual({ waiting: true, progress: 0, secondsLeft: null });
    work.course.progress(0);
    work.course.progress(0.5);
    await pass(2 * SECOND - 1);
    expect(work.job.working()).toEqual({ waiting: false, progress: 0.5, secondsLeft: null });
    await pass(1);
    expect(left(work)).toBeCloseTo(2);
    await pass(8 * SECOND);
    work.course.progress(0.8);
    expect(left(work)).toBeCloseTo(2.5);
    const slow = begin(createJobs());
    slow.course.progress(0.019);
    await pass(10 * SECOND);
    expect(left(slow)).toBeNull();
    slow.course.progress(0.02);
    expect(left(slow)).toBeCloseTo(490);
  });

  it('tells what was expected, from five seconds on, until its own pace tells or it is late', async () => {
    const work = begin(createJobs());
    work.course.progress(0.5);
    work.course.expects?.(4.9);
    expect(left(work)).toBeNull();
    work.course.expects?.(5);
    expect(left(work)).toBeCloseTo(5);
    await pass(30 * SECOND);
    work.course.expects?.(230);
    await pass(229 * SECOND);
    expect(left(work)).toBeCloseTo(1);
    await pass(SECOND);
    expect(left(work)).toBeNull();
    work.course.progress(0.73);
    expect(left(work)).toBeCloseTo(270);
  });

  it('never goes back, nor beyond the whole', () => {
    const work = begin(createJobs());
    const shares = [0.5, 0.3, 1.2].map((share) => {
      work.course.progress(share);
      return work.job.working().progress;
    });
    expect(shares).toEqual([0.5, 0.5, 1]);
  });

  it('is one job at a time for each upload, and says when none is left', async () => {
    const jobs = createJobs();
    const busy: boolean[] = [];
    const forget = jobs.onRest(() => void busy.push(jobs.isBusy()));
    const [first, other] = [begin(jobs), begin(jobs, 'b')];
    expect(jobs.of('a', () => expect.unreachable())).toBe(first.job);
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

  it('may be begun again by itself after an end that was expected', async () => {
    for (const [end, hindrance] of [
      [{ kept: true }, undefined],
      [{ refused: 'NOT_FOUND' }, undefined],
      [{ refused: 'FILE_BROKEN' }, undefined],
      [{ refused: 'STORAGE_FULL' }, 'STORAGE_FULL'],
      [{ refused: 'UNAVAILABLE' }, 'UNAVAILABLE'],
      [{ refused: 'NO_FFMPEG' }, 'NO_FFMPEG'],
    ] as const) {
      const jobs = createJobs();
      await begin(jobs).ends(end);
      expect([jobs.hindrance('a'), jobs.hasFailed('a')]).toEqual([hindrance, hindrance === 'NO_FFMPEG']);
    }
    const jobs = createJobs();
    const { job, fails } = begin(jobs);
    const told = expect(job.end).rejects.toThrow('odd');
    await fails(new Error('odd'));
    await told;
    expect([jobs.hindrance('a'), jobs.hasFailed('a'), jobs.isBusy()]).toEqual(['UNAVAILABLE', true, false]);
    jobs.tooLittle.set('a', 100);
    begin(jobs);
    expect([jobs.hindrance('a'), jobs.hasFailed('a'), jobs.tooLittle.size]).toEqual([undefined, false, 0]);
  });

  it('is waited for where it is stopped; after the end of all nothing begins', async () => {
    /** Work that takes a while to end once it is stopped. */
    const slow = (jobs: Jobs, id: string) =>
      jobs.of(id, async ({ signal }) => {
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
    const late = async ({ signal }: Course): Promise<End> => {
      signal.throwIfAborted();
      return { kept: true };
    };
    await expect(jobs.of('c', late).end).rejects.toThrow('Stopped');
  });
});

describe('the folder of uploads', () => {
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

  it('loses what a try has made, before the next one and after it', async () => {
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

  it('keeps of a refused upload why it was, until it is forgotten', async () => {
    const refused: RefusedUpload = { slot: 'video', filename: 'a.mp4', size: 3, codice: 'FILE_BROKEN' };
    expect(await folder.refused(id)).toBeNull();
    await write('', '.json', '.made');
    await folder.remove(id, refused);
    expect(await folder.refused(id)).toEqual(refused);
    await expect(stat(folder.pathOf(id))).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(`${folder.pathOf(id)}.refused`, '{"slot":"vid');
    expect(await folder.refused(id)).toBeNull();
    await folder.forget(id);
    expect(await readdir(directory)).toEqual([]);
  });

  it('takes only names of its own for an upload’s, and leads nowhere else', async () => {
    await write('', '.json');
    await writeFile(join(directory, 'notes.txt'), 'mine');
    const entries = (await folder.entries()).map((entry) => [entry.name, entry.id]);
    const expected = [
      [id, id],
      [`${id}.json`, id],
      ['notes.txt', null],
    ];
    expect(entries.toSorted()).toEqual(expected.toSorted());
    expect(await folder.list()).toEqual([{ id, upload: null }]);
    expect(() => folder.pathOf(`../${id}`)).toThrow(TypeError);
  });

  it('is not worked on any more once it is open: a folder that goes away then ends nothing', async () => {
    const made = vi.spyOn(fs, 'mkdir');
    await openUploadFolder(join(directory, 'another'));
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});

describe('the pieces of a stream', () => {
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
    const pieces = await all(piecesOf(chunks(sizes)));
    expect(pieces.map(({ length }) => length)).toEqual([8 * MIB, 8 * MIB, 8 * MIB, 5 * MIB + 6]);
    expect(Buffer.concat(pieces).equals(Buffer.concat(await all(chunks(sizes))))).toBe(true);
    expect(await all(piecesOf(chunks([])))).toEqual([]);
    expect(await all(piecesOf(chunks([8 * MIB])))).toHaveLength(1);
    const seen: number[] = [];
    const reading = async () => {
      for await (const { length } of piecesOf(chunks([8 * MIB, 100], new Error('cut')))) seen.push(length);
    };
    await expect(reading()).rejects.toThrow('cut');
    expect(seen).toEqual([8 * MIB, 100]);
  });

  it.each([
    ['nothing', '', ''],
    ['what doesn’t begin at the beginning', '5-9', ''],
    ['up to a gap', '6-9 0-3 3-5', '0-3 3-5'],
    ['a piece that was written late beside another', '0-4 4-6 4-9', '0-4 4-9'],
    ['overlapping ones', '0-4 2-9 7-12 8-10', '0-4 2-9 7-12'],
    ['one that is in another', '0-10 2-3 10-12', '0-10 10-12'],
  ])('are read without a gap: %s', (_what, pieces, wanted) => {
    const read = (text: string) =>
      text.split(' ').flatMap((piece) => {
        const [start = 0, end] = piece.split('-').map(Number);
        return end === undefined ? [] : { start, end };
      });
    expect(inOrder(read(pieces))).toEqual(read(wanted));
  });
});

it('names every problem of a file, by what the file was for', () => {
  const same: Partial<Record<FileProblem, string>> = {
    empty: 'FILE_EMPTY',
    protected: 'FILE_PROTECTED',
    no_picture: 'FILE_NO_PICTURE',
    no_sound: 'FILE_NO_SOUND',
    undecodable: 'FILE_UNDECODABLE',
    cut_short: 'FILE_TRUNCATED',
    damaged: 'FILE_BROKEN',
    too_long: 'FILE_TOO_LONG',
    svg: 'FILE_SVG',
    locked: 'FILE_PDF_LOCKED',
    wallet_pass: 'FILE_WALLET_PASS',
    killed: 'FILE_TOO_HARD',
    memory: 'FILE_TOO_HARD',
    stalled: 'FILE_TOO_HARD',
  };
  const others = {
    video: { unknown: 'FILE_NOT_VIDEO', too_large: 'FILE_VIDEO_TOO_BIG' },
    image: { unknown: 'FILE_NOT_IMAGE', too_large: 'FILE_IMAGE_TOO_BIG' },
    tickets: { unknown: 'FILE_NOT_TICKETS', too_large: 'FILE_IMAGE_TOO_BIG' },
    song: { unknown: 'FILE_NOT_AUDIO', too_large: 'FILE_IMAGE_TOO_BIG' },
  };
  for (const kind of ['video', 'image', 'tickets', 'song'] as const) {
    const told = Object.fromEntries(FILE_PROBLEMS.map((problem) => [problem, refusalOf(problem, kind)]));
    expect(told).toEqual({ ...same, ...others[kind] });
  }
});

/** What is asked of the media worker for each kind of upload, and what is kept of what it made. What it makes is in tests/media-worker. */

type Answers = Partial<Record<Work['what'], Outcome | (() => Promise<Outcome>)>>;

describe('what is made of an upload', () => {
  let directory: string;
  let folder: DiskUploads;
  beforeEach(async () => {
    directory = await newFolder();
    folder = await openUploadFolder(join(directory, 'uploads'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** Has something made of an upload for a slot, by a worker that answers so. */
  async function made(slot: SlotName, answers: Answers, { bytes = 10, course = quiet() as Course } = {}) {
    const id = newUploadId();
    const path = folder.pathOf(id);
    await writeFile(path, 'came');
    const asked: Work[] = [];
    const worker = {
      async do(work: Work) {
        asked.push(work);
        if ('made' in work) await writeFile(work.made, 'x').then(() => truncate(work.made, bytes));
        const answer = answers[work.what];
        if (answer === undefined) throw new Error(`Nobody expected ${work.what}`);
        return typeof answer === 'function' ? answer() : answer;
      },
    } as unknown as MediaWorker;
    const deps = { mediaWorker: worker, log: pino({ level: 'silent' }) };
    const good = await folder.withMade(id, (places) => make(deps, { slot, path }, places, course));
    return { good, asked, what: asked.map(({ what }) => what).join() };
  }

  const film = (change: object = {}): Outcome => ({
    made: { duration: 60, hasSound: true, loudness: -14, extension: 'mp4', ...change } as never,
  });
  const drawn = (extension: 'jpg' | 'png') => ({ picture: { width: 900, height: 600, extension } }) as const;
  const POSTER = drawn('jpg');
  const RENDITIONS = {
    renditions: [
      { file: 'a', width: 720, height: 1, format: 'avif', bytes: 1 },
      { file: 'b', width: 900, height: 1, format: 'webp', bytes: 1 },
    ],
  } as const;
  const TICKETS = { tickets: { pages: 2, kept: true, joins: true } };
  const NO_PDF = { tickets: { refused: 'unknown' } } as const;

  const FILM = { content_type: 'video/mp4', seconds: 60, loudness: -14, warnings: [] };
  const SONG = { content_type: 'audio/mpeg', seconds: 60, loudness: -14, warnings: [], companions: [] };
  const SIZES = [{ kind: 'w720.avif' }, { kind: 'full.webp' }];
  const PDF = { path: expect.stringMatching(/[0-9a-f]{32}$/), extension: 'pdf', companions: [] };
  const PNG = { extension: 'png', content_type: 'image/png', companions: [] };
  const M4A = { extension: 'm4a', content_type: 'audio/mp4' };
  const silent = film({ hasSound: false });
  const dark = { refused: 'no_picture' } as const;
  const picture = (extension: 'jpg' | 'png', renditions: object) =>
    ({ picture: drawn(extension), renditions }) as Answers;
  it.each<[string, SlotName, Answers, string, object]>([
    [
      'a film',
      'video',
      { film: film(), poster: POSTER },
      'film,poster',
      { ...FILM, companions: [{ kind: 'poster' }] },
    ],
    ['a film without a picture', 'video', { film: film(), poster: dark }, 'film,poster', { companions: [] }],
    ['a silent film', 'video', { film: silent, poster: POSTER }, 'film,poster', { warnings: ['NO_SOUND'] }],
    ['a song as mp3', 'canzone', { song: film({ extension: 'mp3' }) }, 'song', SONG],
    ['a song as m4a', 'canzone', { song: film({ extension: 'm4a' }) }, 'song', M4A],
    [
      'a jpg',
      'immagine',
      picture('jpg', RENDITIONS),
      'picture,renditions',
      { content_type: 'image/jpeg', companions: SIZES },
    ],
    ['a png without sizes', 'immagine', picture('png', { refused: 'memory' }), 'picture,renditions', PNG],
    ['tickets as a PDF', 'biglietti', { tickets: TICKETS }, 'tickets', PDF],
    [
      'tickets as a picture',
      'biglietti',
      { ...NO_PDF, picture: POSTER, join: TICKETS },
      'tickets,picture,join',
      { extension: 'jpg', companions: [{ kind: 'pdf' }] },
    ],
  ])('makes of %s what is kept', async (_name, slot, answers, what, kept) => {
    const done = await made(slot, answers);
    expect(done.what).toBe(what);
    expect(done.good).toMatchObject(kept);
  });

  it('looks for a film’s picture from the first second on, or half of a short one', async () => {
    for (const [duration, second] of [
      [60, 1],
      [1.5, 0.75],
    ]) {
      const { asked } = await made('video', { film: film({ duration }), poster: POSTER });
      expect(asked[1]).toMatchObject({ second });
    }
  });

  it('warns of a film or a song from a byte beyond what may be', async () => {
    const warnings = async (slot: SlotName, answers: Answers, bytes: number) =>
      (await made(slot, answers, { bytes })).good;
    const answers = { film: film({ duration: 8, hasSound: false }), poster: POSTER };
    const bits = HEAVY.videoBitsPerSecond;
    expect(await warnings('video', answers, bits)).toMatchObject({ warnings: ['NO_SOUND'] });
    expect(await warnings('video', answers, bits + 1)).toMatchObject({ warnings: ['NO_SOUND', 'HEAVY'] });
    const song = { song: film({ extension: 'mp3' }) };
    expect(await warnings('canzone', song, HEAVY.songBytes)).toMatchObject({ warnings: [] });
    expect(await warnings('canzone', song, HEAVY.songBytes + 1)).toMatchObject({ warnings: ['HEAVY'] });
  });

  it('asks for pictures by their use, and goes on without sizes unless it is stopped', async () => {
    const tickets = await made('biglietti', { ...NO_PDF, picture: POSTER, join: TICKETS });
    expect(tickets.asked.slice(1)).toMatchObject([{ use: 'tickets' }, { parts: [{ kind: 'jpg' }] }]);
    const failing = { picture: drawn('jpg'), renditions: () => Promise.reject(new Error('no memory')) };
    const { good, asked } = await made('immagine', failing);
    expect([asked[0], good]).toMatchObject([{ use: 'shown' }, { companions: [] }]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(made('immagine', failing, { course: { ...quiet(), signal } })).rejects.toThrow('enough');
  });

  /** Every problem is named above. */
  it.each<[SlotName, Answers, string]>([
    ['video', { film: { refused: 'cut_short' } }, 'FILE_TRUNCATED'],
    ['video', { film: { refused: 'too_large' } }, 'FILE_VIDEO_TOO_BIG'],
    ['canzone', { song: { refused: 'unknown' } }, 'FILE_NOT_AUDIO'],
    ['immagine', { picture: { refused: 'unknown' } }, 'FILE_NOT_IMAGE'],
    ['immagine', { picture: { refused: 'too_large' } }, 'FILE_IMAGE_TOO_BIG'],
    ['biglietti', { tickets: { refused: 'locked' } }, 'FILE_PDF_LOCKED'],
    ['biglietti', { ...NO_PDF, picture: { refused: 'unknown' } }, 'FILE_NOT_TICKETS'],
    ['biglietti', { ...NO_PDF, picture: POSTER, join: { refused: 'memory' } }, 'FILE_TOO_HARD'],
  ])('refuses for %s what the worker can’t use (%j) by %s', async (slot, answers, refused) => {
    expect((await made(slot, answers)).good).toEqual({ refused });
  });

  it('tells a refusal from an answer that is none', async () => {
    for (const [slot, what] of [
      ['video', 'film'],
      ['canzone', 'song'],
      ['immagine', 'picture'],
    ] as const)
      await expect(made(slot, { [what]: { whole: true } })).rejects.toThrow(`made no ${what}`);
  });
});
