/** `npm test`: installs what the checks need, then runs every one of them. */
import { ensureBrowser } from './browser.mjs';
import { ensureEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
const env = { ...process.env, CHROMIUM_PATH: ensureBrowser(), FFMPEG_PATH: ensureFfmpeg() };
run(node(), ['scripts/check.mjs'], env);
ensureBuilt();
run(node(), ['node_modules/vitest/vitest.mjs', 'run'], env);
run(node(), ['node_modules/@playwright/test/cli.js', 'test'], env);
// Last: where they can't be had, everything else has been checked by then.
ensureEngines();
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.engines.config.ts'], env);
