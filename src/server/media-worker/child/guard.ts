/**
 * Watches the process from a separate thread, because a decoder may block the main one. Kills it if it exceeds its memory limit or its
 * parent has ended.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { MEMORY_MARK } from './task.ts';

const CHECK_MS = 50;
const maxMemory = workerData as number;
const parent = process.ppid;

setInterval(() => {
  const isFull = process.memoryUsage.rss() > maxMemory;
  if (isFull) writeSync(2, `${MEMORY_MARK}\n`);
  if (isFull || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, CHECK_MS);
