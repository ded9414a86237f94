/** `npm test`: installs what the checks need, then runs every one of them. */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureEngines, findEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { ensureBuilt, ensureInstalled, giveUp, node, run, runBeside, runShown } from './setup.mjs';

/** The media worker's own (child/main.ts): beside whatever else runs here its files would wait for a minute. */
const NICENESS = 10;
setPriority(NICENESS);
/** How much of what a red suite wrote last is said again, in bytes. */
const LAST_BYTES = 8_000;

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
const runner = (...args) => ({ command: node(), args, env });
const vitest = (...args) => runner('node_modules/vitest/vitest.mjs', 'run', ...args);
const suites = [
  vitest(),
  runner('node_modules/@playwright/test/cli.js', 'test'),
  ...(findEngines()
    ? [vitest('--config', 'vitest.engines.config.ts', '--exclude', 'tests/engines/more/**')]
    : []),
];
// One after the other: side by side they take as long, and a product that waits for its turn runs out of the time it gives itself. All of
// them, whatever the first has found.
const failures = [];
for (const suite of suites) {
  const { failure, output } = await runShown(suite);
  if (failure) failures.push({ ...failure, last: output.subarray(-LAST_BYTES).toString() });
}
// Of a red suite what it said last, again: there it lists what failed, and other suites have written 100 lines since.
if (failures.length > 0)
  giveUp(failures.map(({ sentence, last }) => `${last}\n${sentence}`).join('\n'), failures[0].code);
// Last: where they can't be had, everything else has been checked by then.
ensureEngines();
