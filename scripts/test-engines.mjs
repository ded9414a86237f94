/** `npm run test:engines`: the evening in WebKitGTK and Firefox ESR, which are installed where they aren't there. */
import { ensureEngines } from './engines.mjs';
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
ensureEngines();
ensureBuilt();
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--project=engines', ...process.argv.slice(2)]);
