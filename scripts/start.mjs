/** `npm start`: installs and builds what isn't there yet, then runs the product. Settings: see the README's table. */

import { serve } from './serve.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';

ensureInstalled('run');
ensureBuilt();
serve('src/program/sorpresa.ts', ['start', ...process.argv.slice(2)]);
