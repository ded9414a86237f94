import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What wants a process of its own: a module of Node's is another for it, or memory is measured. */
export const ALONE = [
  'tests/api/auth-enumeration.test.ts',
  'tests/api/auth-secrets-windows.test.ts',
  'tests/api/media-stream.test.ts',
];

/** The browser's journeys, what takes long and what wants several servers have runners of their own. */
const ELSEWHERE = ['tests/e2e/**', 'tests/engines/**', 'tests/long/**', 'tests/cluster/**'];

/** What takes longest, though its file is small: what begins last is waited for at the end. */
const FIRST = [
  'tests/media-worker/table.test.ts',
  'tests/media-worker/worker.test.ts',
  'tests/media-worker/tickets.test.ts',
  'tests/architecture/canary.test.ts',
  'tests/contracts/storage-s3.test.ts',
  'tests/faults/database-outage.test.ts',
  'tests/faults/hostile-files.test.ts',
  'tests/faults/kill.test.ts',
  'tests/api/edge-process.test.ts',
  'tests/api/nodes-uploads.test.ts',
  'tests/api/ready-faults.test.ts',
  'tests/api/upload-memory.test.ts',
  'tests/scripts/release.test.ts',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the class's own method, which copies
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification) =>
      project.name === 'alone' ? 0 : FIRST.some((file) => moduleId.endsWith(file)) ? 1 : 2;
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export const shared = {
  setupFiles: ['tests/support/cheap-passwords.ts'],
  // Nothing is measured by it. The first file that a test's own worker is given took 13 s on a busy machine.
  testTimeout: 180_000,
  // The first hook that wants a PostgreSQL waits until there is one, with its tables; others upload a film of 200 MB.
  hookTimeout: 300_000,
  // What comes by itself comes later on a machine that has other things to do: its own second is too short.
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: 3,
};

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'tests/support/postgres-server.ts',
      'tests/support/radosgw-server.ts',
      'tests/support/once-a-run.ts',
    ],
    projects: [
      { test: { ...shared, name: 'alone', include: ALONE } },
      // The product is loaded three times, once in each process, and not once more for every file.
      {
        test: {
          ...shared,
          name: 'together',
          isolate: false,
          // What three hundred files leave behind would be looked through again and again: a tenth of the time.
          execArgv: ['--initial-heap-size=1024', '--min-semi-space-size=32'],
          include: ['tests/**/*.test.ts'],
          exclude: [...ELSEWHERE, ...ALONE],
        },
      },
    ],
  },
});
