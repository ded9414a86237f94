/**
 * The media worker: a separate process that reads every byte of an upload. It runs one task at a time. It is ended by its parent, and
 * exits when the parent has ended.
 */
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { resolveModule } from '../../place.ts';
import type { MediaTask, NO_FFMPEG, TaskMessage, TaskResult, WorkerMessage } from '../door.ts';
import { FileRejected, progress } from './task.ts';

/** Lower priority than visits, on the processor and when memory runs out. */
const NICENESS = 10;
const FIRST_TO_GO = '800';

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
    const code: typeof NO_FFMPEG = 'NO_FFMPEG';
    throw Object.assign(new Error(`FFmpeg can’t be loaded: ${error.message}`), { code });
  });
  return engine;
}

/** Runs a task; its module is loaded at the first task of its kind. */
async function carryOut(work: MediaTask): Promise<TaskResult> {
  switch (work.task) {
    case 'tickets':
      return { tickets: await (await import('../tickets/check.ts')).checkTickets(work.path) };
    case 'pages':
      return { pages: await (await import('../tickets/pages.ts')).drawPages(work) };
    case 'join':
      return { tickets: await (await import('../tickets/join.ts')).joinTickets(work) };
    case 'picture':
      return { picture: await (await import('../pictures/make.ts')).makePicture(work) };
    case 'renditions':
      return { renditions: await (await import('../pictures/make.ts')).makeRenditions(work) };
    case 'hues':
      return { hues: await (await import('../pictures/hues.ts')).drawHues(work.path) };
    case 'probe':
      return { seen: await (await ffmpeg()).probe(work) };
    case 'film':
      return { output: await (await ffmpeg()).makeFilm(work) };
    case 'light':
      return { output: await (await ffmpeg()).makeLight(work) };
    case 'song':
      return { output: await (await ffmpeg()).makeSong(work) };
    case 'poster':
      return { output: await (await ffmpeg()).drawPoster(work) };
    case 'whole':
      if (work.kind === 'sounding') await (await ffmpeg()).decodeAll(work.path);
      else await (await import('../pictures/make.ts')).decodePicture(work.path);
      return { whole: true };
  }
}

function toResult(error: unknown): TaskResult {
  if (error instanceof FileRejected) {
    // Goes to stderr, whose last lines the server logs.
    if (error.cause instanceof Error) console.error(error.cause.message);
    return { refused: error.problem };
  }
  if (!(error instanceof Error)) return { failed: String(error), code: null };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  return { failed: error.message, code };
}

const report = (message: WorkerMessage) => void process.send?.(message);

process.on('message', async ({ id, work }: TaskMessage) => {
  const stop = progress.begin((update) => report({ id, ...update }));
  const end = await carryOut(work).catch(toResult);
  stop();
  report({ id, end, memory: process.memoryUsage.rss() });
});
process.on('disconnect', () => process.exit());
