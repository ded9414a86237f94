/** `npm run test:long`: what takes longer than anybody waits for between two changes — soaks, series of restarts, floods in real time. */
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
ensureBuilt();
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts']);
