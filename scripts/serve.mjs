import { spawn } from 'node:child_process';
import { passSignals } from './platform.mjs';
import { giveUp, node, root } from './setup.mjs';

/** Runs a program of ours on the product's Node until it ends, passing on the signals that ask it to stop. */
export function serve(entry, args, env = process.env) {
  const child = spawn(node(), [entry, ...args], { cwd: root, stdio: 'inherit', env });
  passSignals(process.platform, process, child);
  child.on('error', (error) => giveUp(`${entry} could not be started (${error.code}).`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
