import { defineConfig } from '@playwright/test';
import { findBrowser } from './scripts/browser.mjs';
import { PROXIES } from './tests/support/proxies.ts';

/**
 * Arguments for Debian's Chromium to run headless without a graphics card, as root, and without background requests.
 */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Names of the fake tunnels (tests/support/tunnels.ts).
  '--host-resolver-rules=MAP *.trycloudflare.com 127.0.0.1',
];

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 };

/**
 * True for `CLUSTER=1` (`npm run test:cluster`): some tests run unchanged on two nodes behind nginx and behind Caddy,
 * with PostgreSQL, an S3 server, separate folders, and HTTPS with an unknown authority
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
 * The browser tests, on the built product. Profiles: Android, iPhone, and an in-app web view for some of the long tests.
 * Init scripts (tests/e2e/profiles) remove the features that these do not have. @iphone and @iphone-first tests run on the
 * iPhone, the latter also in the web view, all others on Android. @long tests run in `npm run test:long` only: complete
 * variants, rare failures, and cases that other engines or Vitest cover.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: [
    './tests/support/once-per-run.ts',
    ...(isCluster ? ['./tests/e2e/support/shared-servers.ts'] : []),
  ],
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // On two cores: two workers are idle for two fifths of the time, three for an eighth; many tests wait for animations.
  workers: 4,
  fullyParallel: true,
  forbidOnly: process.env['CI'] !== undefined,
  // An intermittent failure is a race that a retry would hide.
  retries: 0,
  // The duration of each test stays in a file, for optimizing the run.
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
    // Steps and requests cost almost nothing; screenshots of each step made a test 1.6 times slower. `--trace on`
    // includes them.
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
