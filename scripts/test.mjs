/**
 * `npm test`, and by name `npm run test:engines`, `test:long`, `test:cluster`: installs the tools of a suite, then runs
 * it. Arguments after the name go to its runner.
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

/**
 * Priority of the media worker (child/main.ts). The tests share it, because otherwise its files would wait behind them
 * for a minute.
 */
const NICENESS = 10;
/** Bytes of a failed run's output that are repeated at the end. */
const LAST_BYTES = 8_000;

/** Runs Vitest with projects of vitest.config.ts. */
const vitest = (projects, ...args) => ({
  args: ['node_modules/vitest/vitest.mjs', 'run', ...projects.map((name) => `--project=${name}`), ...args],
});
const playwright = (...args) => ({ args: ['node_modules/@playwright/test/cli.js', 'test', ...args] });

/** Tools and runs of each suite. */
const SUITES = {
  engines: { tools: ['engines'], runs: [vitest(['engines'], ...process.argv.slice(3))] },
  // Tests that take too long to run after each change.
  long: {
    tools: ['ffmpeg', 'pebble', 'radosgw', 'engines'],
    runs: [
      vitest(['long']),
      vitest(['engines']),
      playwright('--project=android', '--project=iphone', '--grep=@long'),
      playwright('--project=webview'),
    ],
  },
  // Failing servers with the product on them, and the files of `ops/`. `openssl`, which creates the proxies'
  // certificates, comes with pebble.
  cluster: {
    tools: ['pebble', 'proxies', 'radosgw', 'operation', 'databases', 'ffmpeg'],
    runs: [
      vitest(['cluster']),
      // All PostgreSQL tests of `npm test`, behind a PgBouncer that lends a connection for one transaction.
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

/** Installs the programs that `npm test` uses, as far as they are missing and available. */
function installAll() {
  ensureBrowser();
  ensureTools('ffmpeg', 'pebble');
}

async function testAll() {
  setPriority(NICENESS);
  // First: a user who cannot write the packages here needs no message about the programs.
  requireWritable('node_modules');
  // In parallel with npm and the check, which do not use the programs.
  const tools = runInBackground(
    { command: process.execPath, args: ['scripts/test.mjs', 'tools'], env: process.env },
    true,
  );
  ensureInstalled('all');
  const folder = memoryFolder();
  const ofFolder = folder && { TMPDIR: folder, NODE_COMPILE_CACHE: join(folder, 'compiled') };
  const shared = { ...process.env, ...ofFolder };
  // The check builds the web if needed: with planted secrets, which a test then looks for
  // (tests/architecture/web-bundle).
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
 * Runs all in sequence, also after a failure. In parallel they take the same time, and a waiting product runs into its
 * own timeouts. Ends the process with the last output of the failed runs, where they list their failures.
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
