/**
 * Watches over the process from a thread of its own, as a decoder may hold the main one for long. It ends the process when that needs more memory
 * than it may have, with what it started, and when whoever started it is gone.
 */
import { readFileSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_MARK } from '../process-limits.ts';

const LOOK_MS = 50;
const PAGE = 4_096;
const most = workerData as number;
const parent = process.ppid;

setInterval(() => {
  if (process.memoryUsage.rss() + startedMemory() > most) {
    writeSync(2, `${MEMORY_MARK}\n`);
    end();
  }
  if (process.ppid !== parent) end();
}, LOOK_MS);

/** It leads its process group: a system's FFmpeg goes with it. */
function end(): void {
  process.kill(process.platform === 'win32' ? process.pid : -process.pid, 'SIGKILL');
}

/** The memory of the programs that this one started, where the system tells it (Linux). */
function startedMemory(): number {
  if (process.platform !== 'linux') return 0;
  try {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'latin1').trim();
    return children
      .split(' ')
      .filter(Boolean)
      .reduce((sum, pid) => sum + memoryOf(pid), 0);
  } catch {
    return 0;
  }
}

function memoryOf(pid: string): number {
  try {
    return PAGE * Number(readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')[1]);
  } catch {
    return 0;
  }
}
