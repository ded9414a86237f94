import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolveModule } from '../place.ts';
import { MEMORY_MARK } from './child/task.ts';

const MAIN = resolveModule('src/server/media-worker/child/main');
/** Environment variables passed to the child: none of the product's settings. */
const ENV_NAMES = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
/** Lines of stderr that are stored, and characters of each. */
const STDERR_LIMITS = { lines: 12, signs: 300 } as const;

export const MB = 1024 ** 2;
/**
 * Limit of the child's data segment in bytes, where the system has one; allocations beyond it fail at once. JavaScript's two threads
 * reserve 1.1 GB of it without using it.
 */
const MAX_DATA = 2_400 * MB;
/** Limit of the child's JavaScript heap, in MB. */
const HEAP_MB = 128;
/** Node's message when the JavaScript heap is full. */
const HEAP_MARK = /^FATAL ERROR: .*heap out of memory/;

export type Child = {
  process: ChildProcess;
  /** Resolves after the process has ended. */
  ended: Promise<{ signal: NodeJS.Signals | null; outOfMemory: boolean }>;
  /** Last lines of stderr. */
  lastLines: readonly string[];
};

/**
 * Starts a media worker with the Node executable of this process.
 * @param maxMemory bytes that the child may hold
 */
function startChild(maxMemory: number): Child {
  const node = [
    process.execPath,
    '--no-warnings',
    `--max-old-space-size=${HEAP_MB}`,
    MAIN,
    String(maxMemory),
  ];
  // `ulimit` limits the command after it. Windows has no such shell: only the child's own guard applies there.
  const [file = '', ...args] =
    process.platform === 'win32'
      ? node
      : ['/bin/sh', '-c', `ulimit -d ${MAX_DATA / 1024}; exec "$@"`, 'media-worker', ...node];
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: Object.fromEntries(ENV_NAMES.map((name) => [name, process.env[name]])),
    detached: true,
    windowsHide: true,
  });
  const lastLines: string[] = [];
  let outOfMemory = false;
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on('line', (line) => {
      outOfMemory ||= line === MEMORY_MARK || HEAP_MARK.test(line);
      lastLines.push(line.slice(0, STDERR_LIMITS.signs));
      if (lastLines.length > STDERR_LIMITS.lines) lastLines.shift();
    });
  const ended = once(child, 'close').then(() => ({ signal: child.signalCode, outOfMemory }));
  return { process: child, ended, lastLines };
}

/**
 * Manages one child: started on demand, ended after a time without tasks.
 * @param maxMemory bytes that the child may hold
 */
export function createManagedChild(idleMs: number, maxMemory: number) {
  let current: Child | null = null;
  let idle: NodeJS.Timeout | undefined;
  const end = async () => {
    clearTimeout(idle);
    const ending = current;
    ending?.process.kill('SIGKILL');
    await ending?.ended;
  };
  return {
    /** Returns the running child, or starts one. */
    child(): Child {
      clearTimeout(idle);
      if (current !== null) return current;
      const started = startChild(maxMemory);
      current = started;
      void started.ended.then(() => {
        if (current === started) current = null;
      });
      return started;
    },
    /** Starts the idle timeout; `child` cancels it. */
    startIdleTimeout() {
      clearTimeout(idle);
      idle = setTimeout(() => void end(), idleMs).unref();
    },
    end,
    pid: () => current?.process.pid ?? null,
  };
}
