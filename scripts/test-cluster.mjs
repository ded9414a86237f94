/** `npm run test:cluster`: several servers that fail and the product on them, and what lies in `ops/`. See CONTRIBUTING.md for how long. */
import { ensureOperation } from './operation.mjs';
import { ensurePebble } from './pebble.mjs';
import { ensureProxies } from './proxies.mjs';
import { ensureRadosgw } from './radosgw.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { runSuites, vitest } from './suites.mjs';

ensureInstalled('all');
// `openssl` comes with it, which makes the proxies' certificates.
ensurePebble();
ensureProxies();
ensureRadosgw();
ensureOperation();
ensureBuilt();
console.log('Twenty minutes or more: ten thousand entries and the image take most of it.');
await runSuites([vitest('--config', 'vitest.cluster.config.ts')], process.env);
