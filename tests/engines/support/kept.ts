import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** Starts a program so that it never outlives us, whatever ends us; the program is named by KEPT_PROGRAM. */
export const KEEPER = join(import.meta.dirname, 'keep.sh');

/** The longest that a program of the browsers may take to start, in milliseconds. */
export const START_MS = 60_000;

/** Starts a program that ends with us. */
export function startProgram(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(KEEPER, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
    env: { ...process.env, ...env, KEPT_PROGRAM: program },
  });
  const closed = once(child, 'close');
  return {
    /** Resolves with the first that it writes to its output. */
    async says(): Promise<string> {
      const [chunk] = await Promise.race([
        once(child.stdout, 'data', { signal: AbortSignal.timeout(START_MS) }),
        closed.then(() => Promise.reject(new Error(`${program} ended before it said anything`))),
      ]);
      return String(chunk).trim();
    },
    /** Ends it and all it has started. */
    async end(): Promise<void> {
      child.stdin.end();
      await closed;
    },
  };
}
