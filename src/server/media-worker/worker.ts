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

/** Result of a task, or the problem of its file. */
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

/** A background task was preempted by a more urgent one. */
export class Preempted extends Error {
  override name = 'Preempted';
}

/** Runs media tasks in a child process; the server itself never decodes a file. */
export type MediaWorker = {
  /**
   * Runs a task after those before it. Rejects if aborted, or with an error of the machine, whose code is preserved. The caller removes
   * partial output. A light film rejects with `Preempted` when a task of another kind is requested; a check (`whole`) does so, too,
   * unless that task is a light film.
   */
  run(work: MediaTask, course: TaskControl): Promise<TaskOutcome>;
  /** Process id of the child; null if none is running. */
  pid(): number | null;
  close(): Promise<void>;
};

type Options = {
  log: Logger;
  idleMs?: number;
  stalledMs?: number;
  maxMemory?: number;
};
type Settings = { log: Logger; stalledMs: number; keeper: ManagedChild; pace: SpeedEstimate };

export function createMediaWorker({
  log,
  idleMs = IDLE_MS,
  stalledMs = STALLED_MS,
  maxMemory = MAX_MEMORY,
}: Options): MediaWorker {
  const managedChild = createManagedChild(idleMs, maxMemory);
  const pace = createSpeedEstimate(availableParallelism());
  const settings = { log, stalledMs, keeper: managedChild, pace };
  const inTurn = createQueue();
  const yielding = [new AbortController(), new AbortController()];
  return {
    run(work, course) {
      const urgency = urgencyOf(work);
      for (const [level, waiting] of yielding.entries()) {
        if (level >= urgency) break;
        waiting.abort(new Preempted());
        yielding[level] = new AbortController();
      }
      const controller = yielding[urgency];
      if (controller === undefined) return inTurn(course.signal, () => carryOut(settings, work, course));
      const signal = AbortSignal.any([course.signal, controller.signal]);
      return inTurn(signal, () => carryOut(settings, work, { ...course, signal }));
    },
    pid: () => managedChild.pid(),
    close: () => managedChild.end(),
  };
}

/** Returns the urgency of a task, 0 to 2. A request preempts all less urgent tasks. */
function urgencyOf({ task }: MediaTask): number {
  if (task === 'light') return 0;
  return task === 'whole' ? 1 : 2;
}

async function carryOut(settings: Settings, work: MediaTask, course: TaskControl): Promise<TaskOutcome> {
  const { keeper: managedChild, pace } = settings;
  const paced = pacedBy(pace, course);
  try {
    for (let attempts = 0; attempts < MAX_ATTEMPTS; attempts += 1) {
      const end = await attempt(settings, work, paced.course);
      if (end === 'died') continue;
      if (work.task === 'film' && 'output' in end) paced.ended();
      if (!('failed' in end)) return end;
      throw Object.assign(new Error(end.failed), end.code === null ? {} : { code: end.code });
    }
    return { refused: 'killed' };
  } catch (error) {
    // Aborted during the task: its result is no longer needed.
    if (course.signal.aborted) await managedChild.end();
    throw error;
  } finally {
    managedChild.startIdleTimeout();
  }
}

/** Wraps a control so that its estimates use this machine's speed. `ended` records the measured time. */
function pacedBy(pace: SpeedEstimate, course: TaskControl) {
  let [expected, startedAt] = [0, 0];
  return {
    course: {
      ...course,
      estimate(seconds: number) {
        [expected, startedAt] = [seconds, performance.now()];
        course.estimate?.(pace.localSeconds(seconds));
      },
    },
    ended: () => pace.learn(expected, (performance.now() - startedAt) / 1_000),
  };
}

async function attempt(
  settings: Settings,
  work: MediaTask,
  course: TaskControl,
): Promise<TaskResult | 'died'> {
  const { log, stalledMs, keeper: managedChild } = settings;
  const sizes = await Promise.all(inputPaths(work).map(async (path) => (await stat(path)).size));
  if (sizes.includes(0)) return { refused: 'empty' };
  const bytes = sizes.reduce((sum, size) => sum + size);
  course.signal.throwIfAborted();
  const child = managedChild.child();
  const followed = await runTask(child, work, { bytes, stalledMs, control: course });
  const words = child.lastLines();
  if (followed === 'died') {
    const { signal, outOfMemory } = await child.ended;
    log.warn({ work: work.task, signal, outOfMemory, words }, 'the media worker died');
    return outOfMemory ? { refused: 'memory' } : 'died';
  }
  const { end, isTired } = followed;
  if ('refused' in end) log.debug({ work: work.task, ...end, words }, 'a file was refused');
  if (isTired) await managedChild.end();
  return end;
}
