/** `npm run test:cluster`: several servers of a database that fail, and the product on them. About a minute. */
import { ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
console.log('About a minute: two PostgreSQL, a promotion.');
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.cluster.config.ts'], process.env);
