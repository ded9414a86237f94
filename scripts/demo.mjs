/** `npm run demo`: a complete surprise in a data folder of its own. `npm run demo -- --reset` starts it afresh. */
import { join, resolve } from 'node:path';
import { serve } from './serve.mjs';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

const args = process.argv.slice(2);
const unknown = args.filter((arg) => arg !== '--reset');
if (unknown.length > 0) {
  console.error(`Unknown option ${unknown.join(' ')}. The only one is --reset.`);
  process.exit(2);
}

const dataDir = resolve(process.env.DATA_DIR || join(root, 'data-demo'));
ensureInstalled('run');
ensureBuilt();
serve('src/program/sorpresa.ts', ['demo', ...args], {
  ...process.env,
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL || 'warn',
});
