import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';
import { PROXIES } from './tests/support/proxies.ts';

/** What Debian's Chromium needs to run headless without a graphics card, as root, and without calling home. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Names that the stand-ins for tunnels give (tests/support/tunnels.ts).
  '--host-resolver-rules=MAP *.trycloudflare.com 127.0.0.1',
];

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

/**
 * For `CLUSTER=1` (`npm run test:cluster`): an evening of two trips, entries, lost networks and revoked codes, unchanged, on two nodes behind nginx
 * and behind Caddy, with PostgreSQL, an S3 server, folders of their own, and https by an authority that the browser doesn't know
 * (`tests/e2e/support/two-nodes.ts`).
 */
const isCluster = process.env['CLUSTER'] !== undefined;
const behindProxies = PROXIES.map((name) => ({
  name,
  testMatch: /\/(evening-two-trips|entry|network-loss|revoked)\.spec\.ts$/,
  use: { ...phone, ignoreHTTPSErrors: true },
  grepInvert: /@iphone(?!-first)|@long/,
}));

/**
 * The browser tests, on the built product. Profiles: an Android phone, an iPhone and an in-app web view (what they lack is taken away by
 * init scripts, tests/e2e/profiles), and a desktop. A test tagged @iphone runs on that phone only, one tagged @iphone-first there and, among the
 * long tests, in the web view; the rest on the first.
 * Those tagged @long run in `npm run test:long` alone: they go through every page for what others show of one, through what rarely goes wrong, or
 * what the other engines or Vitest show.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: [
    './tests/support/once-per-run.ts',
    ...(isCluster ? ['./tests/e2e/support/shared-servers.ts'] : []),
  ],
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // On two cores: with two workers they stand idle for two fifths of the time, with three for an eighth; many tests wait for what moves.
  workers: 4,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // A test that is red by chance has found a race: no second try hides it.
  retries: 0,
  // What each test took stays in a file, for who wants to make the run shorter.
  reporter: [
    [process.env['CI'] === undefined ? 'list' : 'line'],
    ['json', { outputFile: 'test-results/browser.json' }],
  ],
  outputDir: 'test-results',
  use: {
    launchOptions: {
      executablePath: findBrowser(),
      args: isCluster ? [...args, '--ignore-certificate-errors'] : args,
    },
    locale: 'it-IT',
    timezoneId: 'Europe/Rome',
    // Steps and requests cost next to nothing to keep; pictures of each step made a test 1.6 times as dear: `--trace on` has them, too.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: false, sources: false },
  },
  projects: isCluster
    ? behindProxies
    : [
        { name: 'android', use: phone, grepInvert: /@iphone/ },
        { name: 'iphone', use: phone, grep: /@iphone/ },
        { name: 'webview', use: phone, grep: /@iphone-first/ },
      ],
});
