import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // The browser's journeys and what takes long have runners of their own.
    exclude: ['tests/e2e/**', 'tests/engines/**', 'tests/long/**'],
    setupFiles: ['tests/support/cheap-passwords.ts'],
    globalSetup: ['tests/support/postgres-server.ts'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    maxWorkers: 2,
  },
});
