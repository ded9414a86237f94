/**
 * `npm run dev`: the product with the demo's surprise, behind Vite with live reload; the server restarts when it
 * changes. `--signed-in` signs the browser in as the demo's administrator, `--reset` prepares the demo again, `--empty`
 * omits it.
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { passSignals } from './platform.mjs';
import { ensureInstalled, fail, node, root, run } from './setup.mjs';

const flags = options();
const port = process.env.PORT || '3000';
const apiPort = String(Number(port) + 1);
const env = {
  ...process.env,
  // Vite also listens only on this machine.
  HOST: process.env.HOST || '127.0.0.1',
  DATA_DIR: resolve(process.env.DATA_DIR || join(root, flags.empty ? 'data-dev-empty' : 'data-dev')),
};

ensureInstalled('all');
// Here and not in the server, which restarts at each change.
if (flags.reset) run(node(), ['demo/forget.ts'], env);
const product = flags.empty
  ? ['src/cli/sorpresa.ts', 'start']
  : ['src/cli/sorpresa.ts', 'demo', '--address', `http://localhost:${port}`];
const children = [
  spawn(node(), ['--watch', ...product], { cwd: root, stdio: 'inherit', env: { ...env, PORT: apiPort } }),
  spawn(node(), ['node_modules/vite/bin/vite.js', '--port', port, '--strictPort'], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...env,
      API_PORT: apiPort,
      // Read by src/web/build/signed-in.ts, which is not part of the built product.
      DEV_SIGN_IN: flags['signed-in'] ? join(env.DATA_DIR, 'demo.json') : '',
    },
  }),
];
const stop = () => {
  for (const child of children) child.kill('SIGTERM');
};
for (const child of children) {
  passSignals(process.platform, process, child);
  child.on('error', (error) => fail(`The development server could not be started (${error.code}).`));
  child.on('exit', stop);
}

function options() {
  const flag = { type: 'boolean', default: false };
  try {
    const { values } = parseArgs({ options: { 'signed-in': flag, reset: flag, empty: flag } });
    if (!values.empty || !(values.reset || values['signed-in'])) return values;
    return fail('--empty leaves the demo out: there is nothing to reset, and nobody to sign in.', 2);
  } catch (error) {
    return fail(`${error.message}. There are --signed-in, --reset and --empty.`, 2);
  }
}
