import { defineConfig } from 'vitest/config';

/** One file after the other: what is measured here wants the machine for itself. */
export default defineConfig({
  test: {
    include: ['tests/long/**/*.test.ts', 'tests/faults/kill.test.ts'],
    env: { KILLS: '100' },
    globalSetup: ['tests/support/postgres-server.ts'],
    testTimeout: 900_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
    fileParallelism: false,
    passWithNoTests: false,
  },
});
