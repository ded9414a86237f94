import { defineConfig } from '@playwright/test';
import alone from './playwright.config.ts';
import { PROXIES } from './tests/support/proxies.ts';

const { launchOptions, ...use } = alone.use ?? {};

/**
 * The evening's own browser tests, unchanged, on two nodes behind nginx and behind Caddy: with PostgreSQL, an S3 server, folders of their own, and https by an authority that
 * the browser doesn't know (`tests/e2e/support/two-nodes.ts`). Part of `npm run test:cluster`. Of those that `npm test` leaves to the long tests
 * (tagged @full) the ones tagged @nodes.
 */
export default defineConfig({
  ...alone,
  globalSetup: ['./tests/support/once-a-run.ts', './tests/e2e/support/shared-servers.ts'],
  // Whatever of a visitor's asks a server; the film's own tests stand on a page of theirs.
  testMatch:
    /\/(journeys|resume|revoked|network|troubles|access|codes|opening|card|closing|captions|focus|keepsake)\.spec\.ts$/,
  workers: 2,
  use: {
    ...use,
    ignoreHTTPSErrors: true,
    launchOptions: {
      ...launchOptions,
      args: [...(launchOptions?.args ?? []), '--ignore-certificate-errors'],
    },
  },
  projects: PROXIES.map((name) => ({
    name,
    use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
    grepInvert: /@iphone(?!-first)|@full(?!.*@nodes)/,
  })),
});
