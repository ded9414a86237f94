import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Script that runs the program in KEPT_PROGRAM and ends it with this process, even if this process is killed. */
export const KEEPER = join(import.meta.dirname, 'keep.sh');

/** Timeout for a browser program to start, in ms. */
export const START_MS = 60_000;

/** Starts a program that ends with this process. */
export function startProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(KEEPER, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env, KEPT_PROGRAM: program },
  });
  const closed = once(child, 'close');
  return {
    /** Resolves with the first chunk of its output. */
    async firstOutput(): Promise<string> {
      const [chunk] = await Promise.race([
        once(child.stdout, 'data', { signal: AbortSignal.timeout(START_MS) }),
        closed.then(() => Promise.reject(new Error(`${program} ended before it said anything`))),
      ]);
      return String(chunk).trim();
    },
    /** Ends the program and all its children. */
    async end(): Promise<void> {
      child.stdin.end();
      await closed;
    },
  };
}
