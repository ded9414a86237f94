/** `npm start`: installs and builds what isn't there yet, then runs the product. Settings: see the README's table. */

import { resolve } from 'node:path';
import { compiledBefore } from './compiled.mjs';
import { serve } from './serve.mjs';
import { ensureBuilt, ensureInstalled, root } from './setup.mjs';

ensureInstalled('run');
ensureBuilt();
const dataDir = resolve(root, process.env.DATA_DIR ?? './data');
serve('src/program/sorpresa.ts', ['start', ...process.argv.slice(2)], {
  ...process.env,
  ...compiledBefore(dataDir),
});
