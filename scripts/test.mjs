/** `npm test`: installs what the checks need, then runs every one of them. */
import { ensureBrowser } from './browser.mjs';
import { ensureEngines } from './engines.mjs';
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
ensureEngines();
const env = { ...process.env, CHROMIUM_PATH: ensureBrowser() };
run(node(), ['scripts/check.mjs'], env);
ensureBuilt();
run(node(), ['node_modules/vitest/vitest.mjs', 'run'], env);
run(node(), ['node_modules/@playwright/test/cli.js', 'test'], env);
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.engines.config.ts'], env);
