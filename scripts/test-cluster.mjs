/** `npm run test:cluster`: several servers that fail and the product on them, and what lies in `ops/`. See CONTRIBUTING.md for how long. */
import { ensureBrowser } from './browser.mjs';
import { ensureDatabases } from './databases.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensureOperation } from './operation.mjs';
import { ensurePebble } from './pebble.mjs';
import { ensureProxies } from './proxies.mjs';
import { ensureRadosgw } from './radosgw.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { playwright, runSuites, vitest } from './suites.mjs';

ensureInstalled('all');
// `openssl` comes with it, which makes the proxies' certificates.
ensurePebble();
ensureProxies();
ensureRadosgw();
ensureOperation();
ensureDatabases();
const env = { ...process.env, CHROMIUM_PATH: ensureBrowser(), FFMPEG_PATH: ensureFfmpeg() };
ensureBuilt();
console.log(
  'Twenty-five minutes or more: the evening in a browser behind both proxies takes nearly half of it.',
);
await runSuites(
  [
    vitest(['cluster']),
    // All that `npm test` asks of PostgreSQL, with a PgBouncer between that lends a connection for one transaction.
    { ...vitest(['server'], '-t', 'postgres'), env: { BEHIND_POOLER: '1' } },
    { ...playwright('--workers=2'), env: { CLUSTER: '1' } },
  ],
  env,
);
