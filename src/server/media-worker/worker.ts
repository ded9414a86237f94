import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import { createQueue } from '../work/in-turn.ts';
import {
  type DrawnPages,
  type FileProblem,
  inputPaths,
  type MediaResult,
  type MediaTask,
  type PictureResult,
  type ProbeResult,
  type RenditionResult,
  type TaskResult,
  type TicketsResult,
} from './door.ts';
import { runTask, type TaskControl } from './follow.ts';
import { createManagedChild, type ManagedChild } from './keeper.ts';
import { createSpeedEstimate, type SpeedEstimate } from './pace.ts';
import { IDLE_MS, MAX_ATTEMPTS, MAX_MEMORY, STALLED_MS } from './process-limits.ts';

export type { FileProblem, MediaTask, TaskControl };

/** How a piece of work ended, as far as that is the file's doing. */
export type TaskOutcome =
  | { seen: ProbeResult }
  | { output: MediaResult }
  | { picture: PictureResult }
  | { renditions: RenditionResult[] }
  | { hues: string[] }
  | { tickets: TicketsResult }
  | { pages: DrawnPages }
  | { whole: true }
  | { refused: FileProblem };

/** Nobody waits for it: it gave way to a piece of work that somebody does wait for. */
export class Preempted extends Error {
  override name = 'Preempted';
}

/** The only way to the files' bytes. */
export type MediaWorker = {
  /**
   * Does a piece of work when those before it are done. Rejects when it is stopped, and with an error of the machine (its code kept).
   * Whatever was half made is left for the caller to remove. A light film rejects with `Preempted` as soon as anything else is asked for, the trial of a
   * stored file when that is no light film.
   */
  run(work: MediaTask, course: TaskControl): Promise<TaskOutcome>;
  /** The child's process id, while there is one. */
  pid(): number | null;
  close(): Promise<void>;
};

type Options = {
  log: Logger;
  idleMs?: number;
  stalledMs?: number;
  mostMemory?: number;
};
type Settings = { log: Logger; stalledMs: number; keeper: ManagedChild; pace: SpeedEstimate };

export function createMediaWorker({
  log,
  idleMs = IDLE_MS,
  stalledMs = STALLED_MS,
  mostMemory = MAX_MEMORY,
}: Options): MediaWorker {
  const keeper = createManagedChild(idleMs, mostMemory);
  const pace = createSpeedEstimate(availableParallelism());
  const settings = { log, stalledMs, keeper, pace };
  const inTurn = createQueue();
  const yielding = [new AbortController(), new AbortController()];
  return {
    run(work, course) {
      const urgency = urgencyOf(work);
      for (const [place, waiting] of yielding.entries()) {
        if (place >= urgency) break;
        waiting.abort(new Preempted());
        yielding[place] = new AbortController();
      }
      const own = yielding[urgency];
      if (own === undefined) return inTurn(course.signal, () => carryOut(settings, work, course));
      const signal = AbortSignal.any([course.signal, own.signal]);
      return inTurn(signal, () => carryOut(settings, work, { ...course, signal }));
    },
    pid: () => keeper.pid(),
    close: () => keeper.end(),
  };
}

/** What is asked for makes everything give way that is less urgent. */
function urgencyOf({ task }: MediaTask): number {
  if (task === 'light') return 0;
  return task === 'whole' ? 1 : 2;
}

async function carryOut(settings: Settings, work: MediaTask, course: TaskControl): Promise<TaskOutcome> {
  const { keeper, pace } = settings;
  const paced = pacedBy(pace, course);
  try {
    for (let tried = 0; tried < MAX_ATTEMPTS; tried += 1) {
      const end = await attempt(settings, work, paced.course);
      if (end === 'died') continue;
      if (work.task === 'film' && 'output' in end) paced.ended();
      if (!('failed' in end)) return end;
      throw Object.assign(new Error(end.failed), end.code === null ? {} : { code: end.code });
    }
    return { refused: 'killed' };
  } catch (error) {
    // Stopped in the middle: what it is at is wanted no more.
    if (course.signal.aborted) await keeper.end();
    throw error;
  } finally {
    keeper.rest();
  }
}

/** The course of a work that this machine's pace is told by, and learned from. */
function pacedBy(pace: SpeedEstimate, course: TaskControl) {
  let [expected, told] = [0, 0];
  return {
    course: {
      ...course,
      estimate(seconds: number) {
        [expected, told] = [seconds, performance.now()];
        course.estimate?.(pace.here(seconds));
      },
    },
    ended: () => pace.learn(expected, (performance.now() - told) / 1_000),
  };
}

async function attempt(
  settings: Settings,
  work: MediaTask,
  course: TaskControl,
): Promise<TaskResult | 'died'> {
  const { log, stalledMs, keeper } = settings;
  const sizes = await Promise.all(inputPaths(work).map(async (path) => (await stat(path)).size));
  if (sizes.includes(0)) return { refused: 'empty' };
  const bytes = sizes.reduce((sum, size) => sum + size);
  course.signal.throwIfAborted();
  const child = keeper.child();
  const followed = await runTask(child, work, { bytes, stalledMs, course });
  const words = child.words();
  if (followed === 'died') {
    const { signal, outOfMemory } = await child.ended;
    log.warn({ work: work.task, signal, outOfMemory, words }, 'the media worker died');
    return outOfMemory ? { refused: 'memory' } : 'died';
  }
  const { end, isTired } = followed;
  if ('refused' in end) log.debug({ work: work.task, ...end, words }, 'a file was refused');
  if (isTired) await keeper.end();
  return end;
}
