import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * Kills a program when the test's own process ends for any reason: its end of a pipe closes then. Has no effect on a
 * program that the test ends itself.
 */
export function killOnExit(program: ChildProcess): void {
  const watcher = spawn('sh', ['-c', 'read -r over || kill -KILL "$1"', 'sh', String(program.pid)], {
    // Ctrl+C goes to the complete process group, and this watcher must survive it.
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  program.once('exit', () => watcher.stdin.end('over\n'));
}

/** Kills a program, if it is running, and waits for its end. */
export async function killProgram(program: ChildProcess | undefined): Promise<void> {
  if (program === undefined || program.exitCode !== null || program.signalCode !== null) return;
  const exited = once(program, 'exit');
  program.kill('SIGKILL');
  await exited;
}
