/**
 * `npm start`: installs and builds whatever is missing, then runs the product. Settings: see the README's table. `npm
 * run demo`: a complete surprise in a separate data folder; `npm run demo -- --reset` starts it afresh.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { passSignals } from './platform.mjs';
import { ensureBuilt, ensureInstalled, fail, isRunning, node, root } from './setup.mjs';

const args = process.argv.slice(2);
const isDemo = args[0] === 'demo';
const unknown = args.slice(1).filter((arg) => arg !== '--reset' && arg !== '--share');
if (isDemo && unknown.length > 0)
  fail(`Unknown option ${unknown.join(' ')}. There are --reset and --share.`, 2);

ensureInstalled('run');
ensureBuilt('web');
ensureBuilt('server');
const command = [join(root, 'dist/server/src/cli/sorpresa.js'), ...(isDemo ? args : ['start', ...args])];
if (isRunning(node())) {
  process.chdir(root);
  process.argv.splice(1, Number.POSITIVE_INFINITY, ...command);
  await import(pathToFileURL(command[0]).href);
} else {
  // The first start with an old Node: the one that was installed runs the product.
  const child = spawn(node(), command, { cwd: root, stdio: 'inherit' });
  passSignals(process.platform, process, child);
  child.on('error', (error) => fail(`The product could not be started (${error.code}).`));
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
}
