/** `npm run test:long`: what takes longer than anybody waits for between two changes — soaks, series of restarts, floods in real time. */
import { ensureBrowser } from './browser.mjs';
import { ensureEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensureBuilt, ensureInstalled, node, run } from './setup.mjs';

ensureInstalled('all');
const env = { ...process.env, CHROMIUM_PATH: ensureBrowser(), FFMPEG_PATH: ensureFfmpeg() };
ensureEngines();
ensureBuilt();
run(node(), ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.long.config.ts'], env);
run(
  node(),
  ['node_modules/vitest/vitest.mjs', 'run', '--config', 'vitest.engines.config.ts', 'tests/engines/more'],
  env,
);
run(node(), ['node_modules/@playwright/test/cli.js', 'test'], { ...env, LONG: '1' });
