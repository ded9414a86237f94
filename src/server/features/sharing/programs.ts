import { execFile } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Timeout of a program that only prints something, in ms. */
const OUTPUT_TIMEOUT_MS = 5_000;

/** Returns the output of a program. Rejects if it fails or takes more than 5 s. */
export async function outputOf(path: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(path, args, {
    timeout: OUTPUT_TIMEOUT_MS,
    windowsHide: true,
    maxBuffer: 4 * 1024 ** 2,
  });
  return stdout;
}

/** Returns the first executable candidate; a bare name is searched in PATH. */
export function findProgram(...candidates: string[]): string | null {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const paths = candidates.flatMap((candidate) =>
    /[/\\]/.test(candidate)
      ? [candidate]
      : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, candidate + suffix)),
  );
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A process, distinguished by its start from a later one with the same id. */
export type KnownProcess = { pid: number; started: string };

/** Returns the process with this id, or null if there is none. */
export async function processAt(pid: number): Promise<KnownProcess | null> {
  const started = await startOf(pid).catch(() => '');
  return started === '' ? null : { pid, started };
}

export async function isAlive({ pid, started }: KnownProcess): Promise<boolean> {
  return (await processAt(pid))?.started === started;
}

async function startOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    // Ticks since boot. A zombie has ended.
    return state === 'Z' ? '' : (fields[18] ?? '');
  }
  if (process.platform === 'win32')
    return (
      await outputOf('powershell', '-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`)
    ).trim();
  return (await outputOf('ps', '-o', 'lstart=', '-p', String(pid))).trim();
}

/** Ends exactly this process. On Windows, where signals don't reach it, its children are ended too. */
export async function endProcess(known: KnownProcess): Promise<void> {
  if (!(await isAlive(known))) return;
  if (process.platform === 'win32')
    await outputOf('taskkill', '/pid', String(known.pid), '/T', '/F').catch(() => '');
  else process.kill(known.pid, 'SIGTERM');
}
