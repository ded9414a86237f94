import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HEAVY } from '../../src/domain/limits.ts';
import type { SlotName } from '../../src/domain/media-slots.ts';
import { make } from '../../src/server/features/uploads/make.service.ts';
import {
  type DiskUploads,
  newUploadId,
  openUploadFolder,
} from '../../src/server/features/uploads/upload-folder.ts';
import type {
  Course,
  FileProblem,
  MediaWorker,
  Outcome,
  Work,
} from '../../src/server/media-worker/worker.ts';
import { isRefused } from '../../src/server/refused.ts';
import { quiet } from '../support/media-work.ts';
import { newFolder } from '../support/server.ts';

/** What is asked of the media worker for each kind of upload, and what is kept of what it made. What it makes is in tests/media-worker. */

type Answers = Partial<Record<Work['what'], Outcome | ((work: Work, course: Course) => Promise<Outcome>)>>;

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
    async do(work: Work, its: Course) {
      asked.push(work);
      if ('made' in work) await writeFile(work.made, 'x').then(() => truncate(work.made, bytes));
      const answer = answers[work.what];
      if (answer === undefined) throw new Error(`Nobody expected ${work.what}`);
      return typeof answer === 'function' ? answer(work, its) : answer;
    },
  } as unknown as MediaWorker;
  const deps = { mediaWorker: worker, log: pino({ level: 'silent' }) };
  const good = await folder.withMade(id, (places) => make(deps, { slot, path }, places, course));
  return { good, asked, what: asked.map(({ what }) => what) };
}

const film = (change: object = {}): Outcome => ({
  made: {
    duration: 60,
    hasSound: true,
    loudness: -14,
    extension: 'mp4',
    ...change,
  } as never,
});
const POSTER = { picture: { width: 100, height: 50, extension: 'jpg' } } as const;

describe('a film', () => {
  test.each([
    [60, 1],
    [1.5, 0.75],
  ])('of %i s has its picture looked for from second %d on', async (duration, second) => {
    const { good, asked, what } = await made('video', { film: film({ duration }), poster: POSTER });
    expect(what).toEqual(['film', 'poster']);
    expect(asked[1]).toMatchObject({ second });
    expect(good).toMatchObject({
      content_type: 'video/mp4',
      seconds: duration,
      loudness: -14,
      warnings: [],
      companions: [{ kind: 'poster' }],
    });
  });

  test('without a picture is good all the same', async () => {
    const { good } = await made('video', { film: film(), poster: { refused: 'no_picture' } });
    expect(good).toMatchObject({ companions: [] });
  });

  const bits = HEAVY.videoBitsPerSecond;
  test.each<[string, object, number, string[]]>([
    ['nothing to say of it', {}, 10, []],
    ['no sound', { hasSound: false }, 10, ['NO_SOUND']],
    ['as many bits a second as may be', { duration: 8 }, bits, []],
    ['more of them', { duration: 8 }, bits + 1, ['HEAVY']],
    ['both', { hasSound: false, duration: 8 }, bits + 1, ['NO_SOUND', 'HEAVY']],
  ])('with %s', async (_what, change, bytes, warnings) => {
    const { good } = await made('video', { film: film(change), poster: POSTER }, { bytes });
    expect(good).toMatchObject({ warnings });
  });
});

describe('a song', () => {
  test.each([
    ['mp3', 'audio/mpeg'],
    ['m4a', 'audio/mp4'],
  ])('as %s is %s', async (extension, content_type) => {
    const { good } = await made('canzone', { song: film({ extension }) });
    expect(good).toMatchObject({
      extension,
      content_type,
      warnings: [],
      loudness: -14,
      seconds: 60,
      companions: [],
    });
  });

  test('is heavy from a byte on beyond what may be', async () => {
    const of = async (bytes: number) =>
      (await made('canzone', { song: film({ extension: 'mp3' }) }, { bytes })).good;
    expect(await of(HEAVY.songBytes)).toMatchObject({ warnings: [] });
    expect(await of(HEAVY.songBytes + 1)).toMatchObject({ warnings: ['HEAVY'] });
  });
});

describe('a picture', () => {
  const renditions = [
    { file: 'a', width: 720, height: 1, format: 'avif', bytes: 1 },
    { file: 'b', width: 900, height: 1, format: 'webp', bytes: 1 },
  ] as const;
  const drawn = (extension: 'jpg' | 'png') => ({ picture: { width: 900, height: 600, extension } }) as const;

  test.each([
    ['jpg', 'image/jpeg'],
    ['png', 'image/png'],
  ] as const)('as %s has its sizes beside it', async (extension, content_type) => {
    const { good, asked } = await made('immagine', {
      picture: drawn(extension),
      renditions: { renditions: [...renditions] },
    });
    expect(asked[0]).toMatchObject({ use: 'shown' });
    expect(good).toMatchObject({ extension, content_type });
    expect(isRefused(good) ? [] : good.companions.map(({ kind }) => kind)).toEqual([
      'w720.avif',
      'full.webp',
    ]);
  });

  test('is good without its sizes, unless it is stopped', async () => {
    const failing = { picture: drawn('jpg'), renditions: () => Promise.reject(new Error('no memory')) };
    for (const answers of [failing, { ...failing, renditions: { refused: 'memory' } as const }])
      expect((await made('immagine', answers)).good).toMatchObject({ companions: [] });
    const stopping = new AbortController();
    stopping.abort(new Error('enough'));
    const course = { ...quiet(), signal: stopping.signal } as Course;
    await expect(made('immagine', failing, { course })).rejects.toThrow('enough');
  });
});

describe('tickets', () => {
  const kept = { tickets: { pages: 2, kept: true, joins: true } };

  test('as a PDF stay as they came', async () => {
    const { good, what } = await made('biglietti', { tickets: kept });
    expect(good).toMatchObject({
      path: expect.stringMatching(/[0-9a-f]{32}$/),
      extension: 'pdf',
      companions: [],
    });
    expect(what).toEqual(['tickets']);
  });

  test('as a picture have a PDF beside it', async () => {
    const { good, asked } = await made('biglietti', {
      tickets: { refused: 'unknown' },
      picture: POSTER,
      join: kept,
    });
    expect(asked.map(({ what }) => what)).toEqual(['tickets', 'picture', 'join']);
    expect(asked[1]).toMatchObject({ use: 'tickets' });
    expect(asked[2]).toMatchObject({ parts: [{ kind: 'jpg' }] });
    expect(good).toMatchObject({ extension: 'jpg', companions: [{ kind: 'pdf' }] });
  });

  test('that can’t be opened, or of which no page can be made, are refused', async () => {
    const refused = async (answers: Answers) => (await made('biglietti', answers)).good;
    expect(await refused({ tickets: { refused: 'locked' } })).toEqual({ refused: 'FILE_PDF_LOCKED' });
    const picture = { tickets: { refused: 'unknown' } } as const;
    expect(await refused({ ...picture, picture: { refused: 'unknown' } })).toEqual({
      refused: 'FILE_NOT_TICKETS',
    });
    const drawn = { ...picture, picture: POSTER };
    expect(await refused({ ...drawn, join: { refused: 'memory' } })).toEqual({ refused: 'FILE_TOO_HARD' });
  });
});

/** What is said of each: file-problems.test.ts. */
describe('what the worker can’t use', () => {
  test.each<[SlotName, Work['what'], FileProblem, string]>([
    ['video', 'film', 'cut_short', 'FILE_TRUNCATED'],
    ['video', 'film', 'too_large', 'FILE_VIDEO_TOO_BIG'],
    ['canzone', 'song', 'unknown', 'FILE_NOT_AUDIO'],
    ['immagine', 'picture', 'unknown', 'FILE_NOT_IMAGE'],
    ['immagine', 'picture', 'too_large', 'FILE_IMAGE_TOO_BIG'],
  ])('of a %s (%s): %s is %s', async (slot, what, refused, said) => {
    expect((await made(slot, { [what]: { refused } })).good).toEqual({ refused: said });
  });

  test('is told from an answer that is none', async () => {
    const odd: Outcome = { whole: true };
    for (const [slot, what] of [
      ['video', 'film'],
      ['canzone', 'song'],
      ['immagine', 'picture'],
    ] as const)
      await expect(made(slot, { [what]: odd })).rejects.toThrow(`made no ${what}`);
  });
});
