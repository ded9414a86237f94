import { defineConfig } from 'vitest/config';

/** The evening in WebKitGTK and Firefox ESR, side by side. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    globalSetup: ['tests/engines/support/web-roots.ts', 'tests/support/once-a-run.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    maxWorkers: 4,
    passWithNoTests: false,
  },
});
