/** `npm test`: installs what the checks need, then runs every one of them. */
import { ensureBrowser } from './browser.mjs';
import { ensureEngines, installEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { ensureBuilt, ensureInstalled, node, run, runTogether } from './setup.mjs';

ensureInstalled('all');
const folder = memoryFolder();
const env = {
  ...process.env,
  CHROMIUM_PATH: ensureBrowser(),
  FFMPEG_PATH: ensureFfmpeg(),
  ...(folder && { TMPDIR: folder }),
};
run(node(), ['scripts/check.mjs'], env);
ensureBuilt();
const vitest = (...args) => ({
  command: node(),
  args: ['node_modules/vitest/vitest.mjs', 'run', ...args],
  env,
});
// Side by side: neither keeps two cores busy, and the engines' pages wait in real time for more than half of theirs.
const engines = installEngines() ? [vitest('--config', 'vitest.engines.config.ts')] : [];
await runTogether([vitest(), ...engines]);
run(node(), ['node_modules/@playwright/test/cli.js', 'test'], env);
// Last: where they can't be had, everything else has been checked by then.
ensureEngines();
