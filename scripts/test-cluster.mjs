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
    vitest('--config', 'vitest.cluster.config.ts'),
    vitest('--config', 'vitest.pooler.config.ts'),
    playwright('--config', 'playwright.cluster.config.ts'),
  ],
  env,
);
