/** `npm run test:long`: what takes longer than anybody waits for between two changes — soaks, series of restarts, floods in real time. */
import { ensureBrowser } from './browser.mjs';
import { ensureEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { ensureBuilt, ensureInstalled } from './setup.mjs';
import { playwright, runSuites, vitest } from './suites.mjs';

ensureInstalled('all');
const env = { ...process.env, CHROMIUM_PATH: ensureBrowser(), FFMPEG_PATH: ensureFfmpeg() };
ensureEngines();
ensureBuilt();
await runSuites(
  [
    vitest('--config', 'vitest.long.config.ts'),
    vitest('--config', 'vitest.engines.config.ts', 'tests/engines/more'),
    playwright(),
  ],
  { ...env, LONG: '1' },
);
