import { defineConfig } from 'vitest/config';

/** Several servers that fail: one file after the other, for it is measured how long it takes to be back. */
export default defineConfig({
  test: {
    include: ['tests/cluster/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // What comes by itself: its own second is too short.
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    fileParallelism: false,
    passWithNoTests: false,
  },
});
