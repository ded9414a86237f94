/**
 * `npm start`: installs and builds whatever is missing, then runs the product. Settings: see the README's table. `npm
 * run demo`: a complete surprise in a separate data folder; `npm run demo -- --reset` starts it afresh.
 */
import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { passSignals } from './platform.mjs';
import { compiledBefore, ensureBuilt, ensureInstalled, fail, node, root } from './setup.mjs';

const args = process.argv.slice(2);
const isDemo = args[0] === 'demo';
const unknown = args.slice(1).filter((arg) => arg !== '--reset' && arg !== '--share');
if (isDemo && unknown.length > 0)
  fail(`Unknown option ${unknown.join(' ')}. There are --reset and --share.`, 2);

ensureInstalled('run');
ensureBuilt();
const { env } = process;
const child = isDemo
  ? spawnProduct(args, {
      DATA_DIR: resolve(env.DATA_DIR || join(root, 'data-demo')),
      LOG_LEVEL: env.LOG_LEVEL || 'warn',
    })
  : spawnProduct(['start', ...args], compiledBefore(resolve(root, env.DATA_DIR ?? './data')));
passSignals(process.platform, process, child);
child.on('error', (error) => fail(`The product could not be started (${error.code}).`));
child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));

function spawnProduct(command, settings) {
  return spawn(node(), ['src/cli/sorpresa.ts', ...command], {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, ...settings },
  });
}
