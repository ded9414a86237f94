/**
 * Watches over the process from a thread of its own, as a decoder may hold the main one for long. It ends the process when that needs more memory
 * than it may have, and when whoever started it is gone.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_MARK } from '../process-limits.ts';

const LOOK_MS = 50;
const most = workerData as number;
const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > most) {
    writeSync(2, `${MEMORY_MARK}\n`);
    end();
  }
  if (process.ppid !== parent) end();
}, LOOK_MS);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
