import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Ends a program that a test has started when the test's own process is gone, whatever has ended that: its end of a pipe closes then. A test
 * that ends the program itself loses nothing.
 */
export function killOnExit(program: ChildProcess): void {
  const watcher = spawn('sh', ['-c', 'read -r over || kill -KILL "$1"', 'sh', String(program.pid)], {
    // Ctrl+C is the whole group's, and it must be there afterwards.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  program.once('exit', () => watcher.stdin.end('over\n'));
}

/** Kills a program, if it is still there, and waits for its end. */
export async function killProgram(program: ChildProcess | undefined): Promise<void> {
  if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const gone = once(program, 'exit');
  program.kill('SIGKILL');
  await gone;
}
