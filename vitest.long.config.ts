import { defineConfig } from 'vitest/config';

/** Tests of which `npm test` does a share (tests/support/long.ts). */
const MORE_OF = [
  'tests/api/access-race.test.ts',
  'tests/api/auth-race.test.ts',
  'tests/api/auth-reset.test.ts',
  'tests/api/media-library.test.ts',
  'tests/api/notifications-email.test.ts',
  'tests/api/upload-memory.test.ts',
  'tests/faults/clock-jumps.test.ts',
  'tests/faults/entry-race.test.ts',
  'tests/faults/kill.test.ts',
  'tests/faults/lost-replies.test.ts',
  'tests/faults/upgrade.test.ts',
  'tests/faults/upload-kill.test.ts',
  'tests/media-worker/songs.test.ts',
  'tests/media-worker/sounds.test.ts',
  'tests/media-worker/table.test.ts',
];

/** One file after the other: what is measured here wants the machine for itself. */
export default defineConfig({
  test: {
    include: ['tests/long/**/*.test.ts', ...MORE_OF],
    env: { LONG: '1' },
    globalSetup: ['tests/support/postgres-server.ts', 'tests/support/once-a-run.ts'],
    testTimeout: 900_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 1,
    fileParallelism: false,
    passWithNoTests: false,
  },
});
