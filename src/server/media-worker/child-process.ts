import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { resolveModule } from '../place.ts';
import { HEAP_MB, MAX_DATA, reportsOutOfMemory } from './process-limits.ts';

const MAIN = resolveModule('src/server/media-worker/child/main');
/** Environment variables passed to the child: none of the product's settings. */
const ENV_NAMES = ['PATH', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
/** Lines of stderr that are stored, and characters of each. */
const STDERR_LIMITS = { lines: 12, signs: 300 } as const;

export type Child = {
  process: ChildProcess;
  /** Resolves after the process has ended. */
  ended: Promise<{ signal: NodeJS.Signals | null; outOfMemory: boolean }>;
  /** Returns the last lines of stderr. */
  lastLines(): string[];
  kill(): void;
};

/**
 * Starts a media worker with the Node executable of this process.
 * @param maxMemory bytes that the child may hold
 */
export function startChild(maxMemory: number): Child {
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
  const env = Object.fromEntries(ENV_NAMES.flatMap((name) => [[name, process.env[name]]]));
  const child = spawn(file, args, {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env,
    detached: true,
    windowsHide: true,
  });
  const lines: string[] = [];
  let outOfMemory = false;
  if (child.stderr !== null)
    createInterface({ input: child.stderr }).on('line', (line) => {
      outOfMemory ||= reportsOutOfMemory(line);
      lines.push(line.slice(0, STDERR_LIMITS.signs));
      if (lines.length > STDERR_LIMITS.lines) lines.shift();
    });
  const ended = once(child, 'close').then(() => ({ signal: child.signalCode, outOfMemory }));
  return { process: child, ended, lastLines: () => lines, kill: () => void child.kill('SIGKILL') };
}
