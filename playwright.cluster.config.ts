import { defineConfig } from '@playwright/test';
import alone from './playwright.config.ts';
import { NAME, PROXIES } from './tests/support/proxies.ts';

const { launchOptions, ...use } = alone.use ?? {};

/**
 * The evening's own browser tests, unchanged, on two nodes behind nginx and behind Caddy: with PostgreSQL, an S3 server, folders of their own, and https by an authority that
 * the browser doesn't know (`tests/e2e/support/two-nodes.ts`). Part of `npm run test:cluster`.
 */
export default defineConfig({
  ...alone,
  globalSetup: ['./tests/e2e/support/once-a-run.ts', './tests/e2e/support/shared-servers.ts'],
  testMatch:
    /\/(journeys|resume|revoked|closing|card|codes|access|opening|media-song|media-tickets|media-lock)\.spec\.ts$/,
  workers: 2,
  use: {
    ...use,
    ignoreHTTPSErrors: true,
    launchOptions: {
      ...launchOptions,
      args: [
        ...(launchOptions?.args ?? []),
        '--ignore-certificate-errors',
        `--host-resolver-rules=MAP ${NAME} 127.0.0.1`,
      ],
    },
  },
  projects: PROXIES.map((name) => ({
    name,
    use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 1 },
    grepInvert: /@iphone(?!-first)|@full/,
  })),
});
