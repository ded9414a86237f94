/**
 * The media worker: a separate process that reads every byte of an upload. It runs one task at a time. It is ended by its parent, and
 * exits when the parent has ended.
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

/** Lower priority than visits, on the processor and when memory runs out. */
const NICENESS = 10;
const FIRST_TO_GO = '800';

const report = (update: WorkerMessage) => void process.send?.(update);

/** Runs `work` and ignores an error: the system may not permit it. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // The setting is optional.
  }
}

attempt(() => setPriority(NICENESS));
if (process.platform === 'linux') attempt(() => writeFileSync('/proc/self/oom_score_adj', FIRST_TO_GO));
// The only argument is the memory limit in bytes.
new Worker(resolveModule('src/server/media-worker/child/guard'), {
  workerData: Number(process.argv[2]),
}).unref();

/** Loads FFmpeg. Rejects with `NO_FFMPEG` if npm has no build for this machine. */
async function ffmpeg() {
  const { engine } = await import('../av/engine.ts').catch((error: Error) => {
    throw Object.assign(new Error(`FFmpeg can’t be loaded: ${error.message}`), { code: NO_FFMPEG });
  });
  return engine;
}

async function carryOut({ id, work }: TaskMessage): Promise<TaskResult> {
  const { progress, stop } = progressOf((update) => report({ id, ...update }));
  try {
    return await resultOf(work, progress);
  } finally {
    stop();
  }
}

/** Runs a task; its module is loaded at the first task of its kind. */
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

/** Audio types that contain notes and no sound. */
const NOTES_ALONE = ['audio/midi', 'audio/x-mod'];

const FOR_FFMPEG: readonly MediaTask['task'][] = ['probe', 'film', 'light', 'song', 'poster'];

/** Returns a more precise problem: a file that starts like a film or song but can't be opened as one is not of an unknown kind. */
async function moreOf(problem: FileProblem, work: MediaTask): Promise<FileProblem> {
  const isForFfmpeg = FOR_FFMPEG.includes(work.task);
  if (problem !== 'unknown' || !isForFfmpeg || work.task === 'join') return problem;
  const kind = await fileTypeFromFile(work.path).catch(() => undefined);
  if (kind === undefined || !/^(video|audio)\//.test(kind.mime)) return 'unknown';
  return NOTES_ALONE.includes(kind.mime) ? 'undecodable' : 'damaged';
}

async function failureOf(error: unknown, { work }: TaskMessage): Promise<TaskResult> {
  if (error instanceof FileRejected) {
    // Goes to stderr, whose last lines the server logs.
    if (error.cause instanceof Error) console.error(error.cause.message);
    return { refused: await moreOf(error.problem, work) };
  }
  if (!(error instanceof Error)) return { failed: String(error), code: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { failed: error.message, code };
}

process.on('message', (raw) => {
  const taskMessage = taskMessageSchema.parse(raw);
  void carryOut(taskMessage)
    .catch((error: unknown) => failureOf(error, taskMessage))
    .then((end) => report({ id: taskMessage.id, end, memory: process.memoryUsage.rss() }));
});
process.on('disconnect', () => process.exit());
