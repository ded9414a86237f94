/** `npm test`: installs what the checks need, then runs every one of them. */
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureEngines, findEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { ensureBuilt, ensureInstalled, giveUp, node, run, runBeside, runTogether } from './setup.mjs';

// Beside npm and the check, which want none of it.
const program = { command: process.execPath, args: ['scripts/install-tools.mjs'], env: process.env };
const tools = runBeside(program, true);
ensureInstalled('all');
const folder = memoryFolder();
const ofFolder = folder && { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') };
const shared = { ...process.env, ...ofFolder };
run(node(), ['scripts/check.mjs'], shared);
const { failure } = await tools;
if (failure) giveUp(failure.sentence, failure.code);
const env = { ...shared, CHROMIUM_PATH: ensureBrowser(), FFMPEG_PATH: ensureFfmpeg() };
ensureBuilt();
const vitest = (...args) => ({
  command: node(),
  args: ['node_modules/vitest/vitest.mjs', 'run', ...args],
  env,
});
// Side by side: neither keeps two cores busy, and the engines' pages wait in real time for more than half of theirs.
const engines = findEngines() ? [vitest('--config', 'vitest.engines.config.ts')] : [];
await runTogether([[vitest()], engines]);
run(node(), ['node_modules/@playwright/test/cli.js', 'test'], env);
// Last: where they can't be had, everything else has been checked by then.
ensureEngines();
