/** `npm run test:cluster`: several servers that fail and the product on them, and what lies in `ops/`. See CONTRIBUTING.md for how long. */
import { ensureOperation } from './operation.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { runSuites, vitest } from './suites.mjs';

ensureInstalled('all');
ensureOperation();
ensureBuilt();
console.log(
  'About ten minutes: two PostgreSQL and a promotion, a Prometheus, an image, which takes most of it.',
);
await runSuites([vitest('--config', 'vitest.cluster.config.ts')], process.env);
