/**
 * The media worker: a process of its own in which every byte of an upload is read. It does one thing at a time, is ended by whoever
 * started it, and ends itself when that one is gone.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { fileTypeFromFile } from 'file-type';
import { resolveModule } from '../../place.ts';
import {
  type FileProblem,
  type MediaTask,
  NO_FFMPEG,
  type TaskMessage,
  type TaskResult,
  taskMessageSchema,
  type WorkerMessage,
} from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { progressOf } from './progress.ts';

/** A visitor's evening goes first, on the processor and when memory runs out. */
const NICENESS = 10;
const FIRST_TO_GO = '800';

const say = (word: WorkerMessage) => void process.send?.(word);

/** What isn't allowed here is done without. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // Only a courtesy to the others.
  }
}

attempt(() => setPriority(NICENESS));
if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO));
// How much memory it may have (bytes) is its only argument.
new Worker(resolveModule('src/server/media-worker/child/guard'), {
  workerData: Number(process.argv[2]),
}).unref();

/** Where npm found no build of FFmpeg for the machine it can't be loaded. */
async function ffmpeg() {
  const { engine } = await import('../av/engine.ts').catch((error: Error) => {
    throw Object.assign(new Error(`FFmpeg can’t be loaded: ${error.message}`), { code: NO_FFMPEG });
  });
  return engine;
}

async function carryOut({ id, work }: TaskMessage): Promise<TaskResult> {
  const { progress, stop } = progressOf((word) => say({ id, ...word }));
  try {
    return await resultOf(work, progress);
  } finally {
    stop();
  }
}

/** What does the work is loaded when the first of its kind comes. */
async function resultOf(work: MediaTask, progress: Progress): Promise<TaskResult> {
  switch (work.task) {
    case 'tickets': {
      const { checkTickets } = await import('../tickets/check.ts');
      return { tickets: await checkTickets(work.path, progress) };
    }
    case 'pages': {
      const { drawPages } = await import('../tickets/draw.ts');
      return { pages: await drawPages(work, progress) };
    }
    case 'join': {
      const { joinTickets } = await import('../tickets/join.ts');
      return { tickets: await joinTickets(work.parts, work.output, progress) };
    }
    case 'picture': {
      const { makePicture } = await import('../pictures/make.ts');
      return { picture: await makePicture(work, progress) };
    }
    case 'renditions': {
      const { makeRenditions } = await import('../pictures/renditions.ts');
      return { renditions: await makeRenditions(work, progress) };
    }
    case 'hues': {
      const { drawHues } = await import('../pictures/hues.ts');
      return { hues: await drawHues(work.path, progress) };
    }
    case 'probe':
      return { seen: await (await ffmpeg()).probe(work.path, work.kind, progress) };
    case 'film':
      return { output: await (await ffmpeg()).film(work.path, work.output, progress) };
    case 'light':
      return { output: await (await ffmpeg()).light(work, progress) };
    case 'song':
      return { output: await (await ffmpeg()).song(work.path, work.output, progress) };
    case 'whole': {
      if (work.kind === 'sounding') await (await ffmpeg()).whole(work.path, progress);
      else await (await import('../pictures/whole.ts')).decodePicture(work.path, progress);
      return { whole: true };
    }
    case 'poster':
      return { output: await (await ffmpeg()).poster(work.path, work.output, work.second, progress) };
  }
}

/** What is called audio and has no sound in it: it says what is to be played. */
const NOTES_ALONE = ['audio/midi', 'audio/x-mod'];

const FOR_FFMPEG: readonly MediaTask['task'][] = ['probe', 'film', 'light', 'song', 'poster'];

/** What begins like a film or a song and can't be opened as one isn't of an unknown kind. */
async function moreOf(problem: FileProblem, work: MediaTask): Promise<FileProblem> {
  const isForFfmpeg = FOR_FFMPEG.includes(work.task);
  if (problem !== 'unknown' || !isForFfmpeg || work.task === 'join') return problem;
  const kind = await fileTypeFromFile(work.path).catch(() => undefined);
  if (kind === undefined || !/^(video|audio)\//.test(kind.mime)) return 'unknown';
  return NOTES_ALONE.includes(kind.mime) ? 'undecodable' : 'damaged';
}

async function failureOf(error: unknown, { work }: TaskMessage): Promise<TaskResult> {
  if (error instanceof FileRejected) {
    // Among its own words, which are kept for the log.
    if (error.cause instanceof Error) console.error(error.cause.message);
    return { refused: await moreOf(error.problem, work) };
  }
  if (!(error instanceof Error)) return { failed: String(error), code: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { failed: error.message, code };
}

process.on('message', (raw) => {
  const order = taskMessageSchema.parse(raw);
  void carryOut(order)
    .catch((error: unknown) => failureOf(error, order))
    .then((end) => say({ id: order.id, end, memory: process.memoryUsage.rss() }));
});
process.on('disconnect', () => process.exit());
