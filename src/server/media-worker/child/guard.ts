/**
 * Watches the process from a separate thread, because a decoder may block the main one. Kills it if it exceeds its memory limit or its
 * parent has ended.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_MARK } from '../process-limits.ts';

const CHECK_MS = 50;
const maxMemory = workerData as number;
const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() > maxMemory) {
    writeSync(2, `${MEMORY_MARK}\n`);
    end();
  }
  if (process.ppid !== parent) end();
}, CHECK_MS);

function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
