import { open } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { FileProblem } from '../door.ts';

/** What all tasks use. It loads nothing else, because the server and the guard's thread import it, too. */

/** Line that the guard writes before it ends the child for exceeding its memory limit. */
export const MEMORY_MARK = 'media-worker: out of memory';

/** Thrown when a task fails because of its file. */
export class FileRejected extends Error {
  readonly problem: FileProblem;

  /** @param options the original error, as `cause` */
  constructor(problem: FileProblem, options?: ErrorOptions) {
    super(`The file can't be used: ${problem}.`, options);
    this.problem = problem;
  }
}

/** Report interval, and longest time without yielding, in ms. */
const REPORT_MS = 250;
const MAX_BLOCK_MS = 50;

const NOTHING_DONE = { done: 0, share: 0, megapixels: null as number | null, seconds: null as number | null };
type ProgressReport = typeof NOTHING_DONE;

let current = NOTHING_DONE;
let sendReport: (report: ProgressReport) => void = () => undefined;
let yieldedAt = 0;

/** Progress of the running task; the process runs one at a time. */
export const progress = {
  /** Begins a task, whose progress is reported at an interval. Returns a function that ends the reports. */
  begin(onReport: (report: ProgressReport) => void): () => void {
    [current, sendReport, yieldedAt] = [{ ...NOTHING_DONE }, onReport, performance.now()];
    const timer = setInterval(() => onReport(current), REPORT_MS);
    return () => clearInterval(timer);
  },
  /** Adds packets, pictures or sounds that were read, decoded or written. */
  add(count: number) {
    current.done += count;
  },
  /** Sets the progress, 0 to 1. */
  share(share: number) {
    current.share = Math.min(1, Math.max(0, share));
  },
  /** Sets the expected work: megapixels of pictures, and seconds on two cores. */
  setWorkload(megapixels: number, seconds: number | null = null) {
    Object.assign(current, { megapixels, seconds });
    sendReport(current);
  },
  /** Lets the event loop run if it has been blocked for a while. */
  async yieldToEventLoop() {
    if (performance.now() - yieldedAt < MAX_BLOCK_MS) return;
    await turn();
    yieldedAt = performance.now();
  },
};

/** Bytes that identify the kind of a file. */
const HEAD_BYTES = 4_096;

/** Returns the first bytes of a file and its size. */
export async function readHead(path: string): Promise<{ head: Buffer; size: number }> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}
