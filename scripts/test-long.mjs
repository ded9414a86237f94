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
    vitest(['long']),
    vitest(['engines-more']),
    playwright('--project=android', '--project=iphone', '--grep=@long'),
    playwright('--project=webview'),
  ],
  env,
);
