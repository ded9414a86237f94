/** Programs and processes of a tunnel, and the file that outlasts them. */
import { execFile } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { SHARING_TROUBLES, TUNNELS } from '../../../contract/admin/site-address.ts';

const run = promisify(execFile);

/** Timeout of a program that only prints something, in ms. */
const OUTPUT_TIMEOUT_MS = 5_000;

/** Returns the output of a program. Rejects if it fails or takes more than 5 s. */
export async function outputOf(path: string, ...args: string[]): Promise<string> {
  const limits = { timeout: OUTPUT_TIMEOUT_MS, maxBuffer: 4 * 1024 ** 2 };
  return (await run(path, args, { ...limits, windowsHide: true })).stdout;
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

const processSchema = z.object({ pid: z.int().positive(), started: z.string().min(1) });
/** A process, distinguished by its start from a later one with the same id. */
type KnownProcess = z.infer<typeof processSchema>;

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
  const started =
    process.platform === 'win32'
      ? outputOf('powershell', '-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`)
      : outputOf('ps', '-o', 'lstart=', '-p', String(pid));
  return (await started).trim();
}

/** Ends exactly this process. On Windows, where signals don't reach it, its children are ended too. */
export async function endProcess(known: KnownProcess): Promise<void> {
  if (!(await isAlive(known))) return;
  if (process.platform === 'win32')
    await outputOf('taskkill', '/pid', String(known.pid), '/T', '/F').catch(() => '');
  else process.kill(known.pid, 'SIGTERM');
}

/** State of a tunnel process, stored for the product and its next start. */
const fileSchema = z.object({
  tunnel: z.enum(TUNNELS),
  /** Local port that the tunnel leads to, on the loopback address. */
  port: z.int().positive(),
  keeper: processSchema,
  /** The tunnel's program; null if it isn't a separate process. */
  child: processSchema.nullable(),
  address: z.string().nullable(),
  enable: z.string().nullable(),
  trouble: z.enum(SHARING_TROUBLES).nullable(),
});
export type SharingFile = z.infer<typeof fileSchema>;

/** Path of the tunnel file. It is in the folder of what outlasts the process, as a downloaded program is. */
export const sharingPath = (folder: string): string => join(folder, 'tunnel.json');

/** Returns null if the file is missing or unreadable. */
export function readSharingFile(folder: string): SharingFile | null {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(sharingPath(folder), 'utf8')));
  } catch {
    return null;
  }
}

export function writeSharingFile(folder: string, file: SharingFile): void {
  mkdirSync(folder, { recursive: true });
  const part = `${sharingPath(folder)}.${process.pid}`;
  writeFileSync(part, JSON.stringify(file), { mode: 0o600 });
  renameSync(part, sharingPath(folder));
}

export const removeSharingFile = (folder: string): void => rmSync(sharingPath(folder), { force: true });
