/** `npm run dev`: the server on a port of its own, restarted when it changes, behind Vite with its live reloading. */
import { spawn } from 'node:child_process';
import { passSignals } from './platform.mjs';
import { ensureInstalled, giveUp, node, root } from './setup.mjs';

ensureInstalled('all');
const port = process.env.PORT || '3000';
const apiPort = String(Number(port) + 1);
const children = [
  spawn(node(), ['--watch', 'src/server/main.ts'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PORT: apiPort },
  }),
  spawn(node(), ['node_modules/vite/bin/vite.js', '--port', port, '--strictPort'], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, API_PORT: apiPort },
  }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const child of children) {
  passSignals(process.platform, process, child);
  child.on('error', (error) => giveUp(`The development server could not be started (${error.code}).`));
  child.on('exit', stop);
}
