/** `npm test`: installs what the checks need, then runs every one of them. */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { ensureEngines, findEngines } from './engines.mjs';
import { ensureFfmpeg } from './ffmpeg.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { plantedSecrets } from './planted.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  giveUp,
  isBuilt,
  needWritable,
  node,
  run,
  runBeside,
} from './setup.mjs';
import { playwright, runSuites, vitest } from './suites.mjs';

/** The media worker's own (child/main.ts): beside whatever else runs here its files would wait for a minute. */
const NICENESS = 10;
setPriority(NICENESS);

// Before anything else: who may not have the packages here need not hear of the programs as well.
needWritable('node_modules');
// Beside npm and the check, which want none of it.
const program = { command: process.execPath, args: ['scripts/install-tools.mjs'], env: process.env };
const tools = runBeside(program, true);
ensureInstalled('all');
const folder = memoryFolder();
const ofFolder = folder && { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') };
const shared = { ...process.env, ...ofFolder };
// The check builds the web where it isn't built: with secrets about, which a test then looks for (tests/architecture/web-bundle).
const planted = isBuilt() ? undefined : plantedSecrets();
run(node(), ['scripts/check.mjs'], { ...shared, ...planted });
const { failure } = await tools;
if (failure) giveUp(failure.sentence, failure.code);
const env = {
  ...shared,
  CHROMIUM_PATH: ensureBrowser(),
  FFMPEG_PATH: ensureFfmpeg(),
  ...(planted && { WEB_BUILT_WITH: JSON.stringify(planted) }),
};
ensureBuilt();
const fast = vitest(['unit', 'server', 'media', 'alone']);
const browser = playwright('--project=android', '--project=iphone', '--grep-invert=@long');
await runSuites([fast, browser, ...(findEngines() ? [vitest(['engines'])] : [])], env);
// Last: where they can't be had, everything else has been checked by then.
ensureEngines();
