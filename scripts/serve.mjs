import { spawn } from 'node:child_process';
import { node, root } from './setup.mjs';

/** Runs a program of ours on the pinned Node until it ends, passing on the signals that ask it to stop. */
export function serve(entry, args, env = process.env) {
  const child = spawn(node(), [entry, ...args], { cwd: root, stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
