import { rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HEAVY_FILE } from '../../src/domain/limits.ts';
import type { SlotName } from '../../src/domain/media.ts';
import { convertUpload } from '../../src/server/features/uploads/make.ts';
import {
  type DiskUploads,
  newUploadId,
  openUploadFolder,
} from '../../src/server/features/uploads/upload-folder.ts';
import type {
  MediaTask,
  MediaWorker,
  TaskControl,
  TaskOutcome,
} from '../../src/server/media-worker/worker.ts';
import { quiet } from '../support/media-work.ts';
import { newFolder } from '../support/server.ts';

/** Tasks of the media worker for each kind of upload, and the files that are stored. tests/media-worker covers the files' content. */

type Answers = Partial<Record<MediaTask['task'], TaskOutcome | (() => Promise<TaskOutcome>)>>;

describe('conversion of an upload', () => {
  let directory: string;
  let folder: DiskUploads;
  beforeEach(async () => {
    directory = await newFolder();
    folder = await openUploadFolder(join(directory, 'uploads'));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  /** Converts an upload for a slot with a worker that gives these answers. */
  async function made(
    slot: SlotName,
    answers: Answers,
    { bytes = 10, course = quiet() as TaskControl } = {},
  ) {
    const id = newUploadId();
    const path = folder.pathOf(id);
    await writeFile(path, 'came');
    const asked: MediaTask[] = [];
    const worker = {
      async run(work: MediaTask) {
        asked.push(work);
        if ('output' in work) await writeFile(work.output, 'x').then(() => truncate(work.output, bytes));
        const answer = answers[work.task];
        if (answer === undefined) throw new Error(`Nobody expected ${work.task}`);
        return typeof answer === 'function' ? answer() : answer;
      },
    } as unknown as MediaWorker;
    const deps = { mediaWorker: worker, log: pino({ level: 'silent' }) };
    const good = await folder.withMade(id, (places) => convertUpload(deps, { slot, path }, places, course));
    return { good, asked, what: asked.map(({ task }) => task).join() };
  }

  const film = (change: object = {}): TaskOutcome => ({
    output: { duration: 60, hasSound: true, loudness: -14, extension: 'mp4', ...change } as never,
  });
  const POSTER = { picture: { width: 900, height: 600, extension: 'jpg' } } as const;
  const RENDITIONS: TaskOutcome = {
    renditions: [
      { file: 'a', width: 720, height: 1, format: 'avif', bytes: 1 },
      { file: 'b', width: 900, height: 1, format: 'webp', bytes: 1 },
    ],
  };
  const TICKETS = { tickets: { pages: 2, kept: true, joins: true } };
  const NO_PDF = { tickets: { refused: 'unknown' } } as const;

  const FILM = { content_type: 'video/mp4', seconds: 60, loudness: -14, warnings: [] };
  const SONG = { content_type: 'audio/mpeg', seconds: 60, loudness: -14, warnings: [], companions: [] };
  const SIZES = [{ kind: 'w720.avif' }, { kind: 'full.webp' }];
  const PDF = { path: expect.stringMatching(/[0-9a-f]{32}$/), extension: 'pdf', companions: [] };
  const dark = { refused: 'no_picture' } as const;
  it.each<[string, SlotName, Answers, string, object]>([
    [
      'a film',
      'video',
      { film: film(), poster: POSTER },
      'film,poster',
      { ...FILM, companions: [{ kind: 'poster' }] },
    ],
    ['a film without a picture', 'video', { film: film(), poster: dark }, 'film,poster', { companions: [] }],
    ['a song as mp3', 'canzone', { song: film({ extension: 'mp3' }) }, 'song', SONG],
    [
      'a jpg',
      'immagine',
      { picture: POSTER, renditions: RENDITIONS },
      'picture,renditions',
      { content_type: 'image/jpeg', companions: SIZES },
    ],
    ['tickets as a PDF', 'biglietti', { tickets: TICKETS }, 'tickets', PDF],
    [
      'tickets as a picture',
      'biglietti',
      { ...NO_PDF, picture: POSTER, join: TICKETS },
      'tickets,picture,join',
      { extension: 'jpg', companions: [{ kind: 'pdf' }] },
    ],
  ])('converts %s to the stored files', async (_name, slot, answers, what, kept) => {
    const done = await made(slot, answers);
    expect(done.what).toBe(what);
    expect(done.good).toMatchObject(kept);
  });

  it('draws a film’s poster from the first second on, or from half of a short film', async () => {
    for (const [duration, second] of [
      [60, 1],
      [1.5, 0.75],
    ]) {
      const { asked } = await made('video', { film: film({ duration }), poster: POSTER });
      expect(asked[1]).toMatchObject({ second });
    }
  });

  it('warns of a film or a song one byte over the limit', async () => {
    const warnings = async (slot: SlotName, answers: Answers, bytes: number) =>
      (await made(slot, answers, { bytes })).good;
    const answers = { film: film({ duration: 8, hasSound: false }), poster: POSTER };
    const bits = HEAVY_FILE.videoBitsPerSecond;
    expect(await warnings('video', answers, bits)).toMatchObject({ warnings: ['NO_SOUND'] });
    expect(await warnings('video', answers, bits + 1)).toMatchObject({ warnings: ['NO_SOUND', 'HEAVY'] });
    const song = { song: film({ extension: 'mp3' }) };
    expect(await warnings('canzone', song, HEAVY_FILE.songBytes)).toMatchObject({ warnings: [] });
    expect(await warnings('canzone', song, HEAVY_FILE.songBytes + 1)).toMatchObject({ warnings: ['HEAVY'] });
  });

  it('requests pictures by their use, and continues without sizes unless aborted', async () => {
    const tickets = await made('biglietti', { ...NO_PDF, picture: POSTER, join: TICKETS });
    expect(tickets.asked.slice(1)).toMatchObject([{ use: 'tickets' }, { parts: [{ kind: 'jpg' }] }]);
    const failing = { picture: POSTER, renditions: () => Promise.reject(new Error('no memory')) };
    const { good, asked } = await made('immagine', failing);
    expect([asked[0], good]).toMatchObject([{ use: 'shown' }, { companions: [] }]);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(made('immagine', failing, { course: { ...quiet(), signal } })).rejects.toThrow('enough');
  });

  it.each<[SlotName, Answers, string]>([
    ['video', { film: { refused: 'too_large' } }, 'FILE_VIDEO_TOO_BIG'],
    ['immagine', { picture: { refused: 'too_large' } }, 'FILE_IMAGE_TOO_BIG'],
    ['biglietti', { ...NO_PDF, picture: { refused: 'unknown' } }, 'FILE_NOT_TICKETS'],
    ['biglietti', { ...NO_PDF, picture: POSTER, join: { refused: 'memory' } }, 'FILE_TOO_HARD'],
  ])('refuses for slot %s after %j with %s', async (slot, answers, refused) => {
    expect((await made(slot, answers)).good).toEqual({ refused });
  });
});
