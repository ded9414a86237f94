import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { OPENING } from '../formats.ts';

/** Options as a program takes them. */
export const options = (named: Record<string, string | number>): string[] =>
  Object.entries(named).flatMap(([name, value]) => [`-${name}`, String(value)]);

const { protocol_whitelist, format_whitelist, max_streams } = OPENING;
/** What every file is opened with by a program. */
export const INPUT = options({ protocol_whitelist, format_whitelist, max_streams });
/** The largest piece of memory that a program may ask for at once (bytes). */
const MOST_AT_ONCE = 512 * 1024 ** 2;

/** The paths of the system's programs. */
export type Programs = { ffmpeg: string; ffprobe: string };

export type Ended = { ok: boolean; complaints: string[] };

/** Lines of complaint that are kept. */
const COMPLAINTS = 40;

/** Runs a program and hands out its lines one by one. It dies with the process group of this worker. */
export async function runProgram(
  program: string,
  args: readonly string[],
  line: (line: string) => void,
): Promise<Ended> {
  const child = spawn(program, [...options({ v: 'error', max_alloc: MOST_AT_ONCE }), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', (error) => reject(Object.assign(new Error(error.message), { code: 'NO_FFMPEG' })));
  child.once('close', resolve);
  const complaints: string[] = [];
  createInterface({ input: child.stdout }).on('line', line);
  createInterface({ input: child.stderr }).on('line', (each) => {
    if (complaints.length < COMPLAINTS) complaints.push(each);
  });
  const status = await promise;
  if (complaints.some((each) => each.includes('No space left on device')))
    throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
  return { ok: status === 0, complaints };
}

/** All of what a program prints. */
export async function textOf(
  program: string,
  args: readonly string[],
): Promise<{ text: string; ok: boolean }> {
  const lines: string[] = [];
  const { ok } = await runProgram(program, args, (line) => lines.push(line));
  return { text: lines.join('\n'), ok };
}
