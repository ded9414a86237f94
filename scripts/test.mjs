/**
 * `npm test`, and by a name `npm run test:engines`, `test:long`, `test:cluster`: installs what a suite needs, then runs it. What follows the name goes
 * to its runner.
 */
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { memoryFolder } from './memory-folder.mjs';
import { plantedSecrets } from './planted.mjs';
import {
  ensureBuilt,
  ensureInstalled,
  fail,
  isBuilt,
  node,
  requireWritable,
  run,
  runInBackground,
  runShown,
} from './setup.mjs';
import { ensureTools, toolPath } from './tools.mjs';

/** The media worker's own (child/main.ts): beside whatever else runs here its files would wait for a minute. */
const NICENESS = 10;
/** How much of what a red run wrote last is said again, in bytes. */
const LAST_BYTES = 8_000;

/** Vitest on projects of vitest.config.ts. */
const vitest = (projects, ...args) => ({
  args: ['node_modules/vitest/vitest.mjs', 'run', ...projects.map((name) => `--project=${name}`), ...args],
});
const playwright = (...args) => ({ args: ['node_modules/@playwright/test/cli.js', 'test', ...args] });

/** The programs of each suite, and its runs. */
const SUITES = {
  engines: { tools: ['engines'], runs: [vitest(['engines'], ...process.argv.slice(3))] },
  // What takes longer than anybody waits for between two changes.
  long: {
    tools: ['ffmpeg', 'pebble', 'radosgw', 'engines'],
    runs: [
      vitest(['long']),
      vitest(['engines']),
      playwright('--project=android', '--project=iphone', '--grep=@long'),
      playwright('--project=webview'),
    ],
  },
  // Several servers that fail and the product on them, and what lies in `ops/`. `openssl`, which makes the proxies' certificates, comes with pebble.
  cluster: {
    tools: ['pebble', 'proxies', 'radosgw', 'operation', 'databases', 'ffmpeg'],
    runs: [
      vitest(['cluster']),
      // All that `npm test` asks of PostgreSQL, with a PgBouncer between that lends a connection for one transaction.
      { ...vitest(['server'], '-t', 'postgres'), env: { BEHIND_POOLER: '1' } },
      { ...playwright('--workers=2'), env: { CLUSTER: '1' } },
    ],
  },
};

const name = process.argv[2];
if (name === undefined) await testAll();
else if (name === 'tools') installAll();
else if (Object.hasOwn(SUITES, name)) await testSuite(SUITES[name]);
else fail(`There is no suite ${name}: ${Object.keys(SUITES).join(', ')}.`);

async function testSuite({ tools, runs }) {
  ensureInstalled('all');
  ensureTools(...tools);
  const ofBrowser = tools.includes('ffmpeg') && {
    CHROMIUM_PATH: ensureBrowser(),
    FFMPEG_PATH: toolPath('ffmpeg'),
  };
  ensureBuilt();
  await runEach(runs, { ...process.env, ...ofBrowser });
}

/** Installs the programs that `npm test` drives, as far as they aren't there and can be had. */
function installAll() {
  ensureBrowser();
  ensureTools('ffmpeg', 'pebble');
}

async function testAll() {
  setPriority(NICENESS);
  // Before anything else: who may not have the packages here need not hear of the programs as well.
  requireWritable('node_modules');
  // Beside npm and the check, which want none of it.
  const tools = runInBackground(
    { command: process.execPath, args: ['scripts/test.mjs', 'tools'], env: process.env },
    true,
  );
  ensureInstalled('all');
  const folder = memoryFolder();
  const ofFolder = folder && { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const shared = { ...process.env, ...ofFolder };
  // The check builds the web where it isn't built: with secrets about, which a test then looks for (tests/architecture/web-bundle).
  const planted = isBuilt() ? undefined : plantedSecrets();
  run(node(), ['scripts/check.mjs'], { ...shared, ...planted });
  const { failure } = await tools;
  if (failure) fail(failure.sentence, failure.code);
  ensureBuilt();
  await runEach(
    [
      vitest(['unit', 'dom', 'server', 'media', 'alone']),
      playwright('--project=android', '--project=iphone', '--grep-invert=@long'),
    ],
    {
      ...shared,
      CHROMIUM_PATH: ensureBrowser(),
      FFMPEG_PATH: toolPath('ffmpeg'),
      ...(planted && { WEB_BUILT_WITH: JSON.stringify(planted) }),
    },
  );
}

/**
 * One after the other (side by side they take as long, and a product that waits for its turn runs out of the time it gives itself), all of them,
 * whatever the first has found. Ends the process with what the red ones said last: there they list what failed, and others have written a hundred
 * lines since.
 * @param {{ args: string[], env?: NodeJS.ProcessEnv }[]} runs the arguments of each, and its own environment
 * @param {NodeJS.ProcessEnv} env of all
 */
async function runEach(runs, env) {
  const failures = [];
  for (const { args, env: own } of runs) {
    const { failure, output } = await runShown({ command: node(), args, env: { ...env, ...own } });
    if (failure) failures.push({ ...failure, last: output.subarray(-LAST_BYTES).toString() });
  }
  if (failures.length > 0)
    fail(failures.map(({ sentence, last }) => `${last}\n${sentence}`).join('\n'), failures[0].code);
}
