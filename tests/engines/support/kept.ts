import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What starts a program so that it never outlives us, whatever ends us; the program is named by KEPT_PROGRAM. */
export const KEEPER = join(import.meta.dirname, 'keep.sh');

export type Kept = {
  process: ChildProcess;
  /** What it has written so far. */
  output(): string;
  /** Resolves with what `pattern` finds in its output; rejects when it ends before, or takes longer than START_MS. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Ends it and all it has started. */
  end(): Promise<void>;
};

/** The longest that a program of the browsers may take to start, in milliseconds. */
export const START_MS = 60_000;

/** Starts a program that ends with us. */
export function keep(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Kept {
  const child = spawn(KEEPER, args, {
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env, KEPT_PROGRAM: program },
  });
  const closed = once(child, 'close');
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      child.emit('said');
    });
  const says = async (pattern: RegExp) => {
    const deadline = AbortSignal.timeout(START_MS);
    for (;;) {
      const found = pattern.exec(output);
      if (found !== null) return found;
      const ended = child.exitCode !== null || child.signalCode !== null;
      if (ended || deadline.aborted)
        throw new Error(
          `${program} ${ended ? 'ended' : 'took too long'} before it said ${pattern}:\n${output}`,
        );
      await Promise.race([once(child, 'said', { signal: deadline }), closed]).catch(() => undefined);
    }
  };
  return {
    process: child,
    output: () => output,
    says,
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}
