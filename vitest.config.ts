import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Every test is in one project, by its folder (CONTRIBUTING.md). */
const inFolders = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

const shared = {
  setupFiles: ['tests/support/cheap-passwords.ts'],
  // Measures nothing. The first file of a new worker took 13 s on a busy machine.
  testTimeout: 180_000,
  // The first hook with PostgreSQL waits until it has started and has its tables; others upload a film of 200 MB.
  hookTimeout: 300_000,
  // Asynchronous results come later on a busy machine; the default of one second is too short.
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: 3,
};

/** The product is loaded three times, once per process, and not again for every file. */
const together = {
  ...shared,
  isolate: false,
  // Without this the garbage of three hundred files is scanned repeatedly: a tenth of the time.
  execArgv: ['--initial-heap-size=1024', '--min-semi-space-size=32'],
};

/** One file after the other: measurements need the machine for themselves. */
const inTurn = { testTimeout: 900_000, hookTimeout: 300_000, expect: shared.expect, maxWorkers: 1 };

const engines = {
  globalSetup: ['tests/engines/support/web-root.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 4,
};

/** Start order of `npm test`: media takes longest, but its files are small. */
const BEGIN = ['media', 'alone', 'server', 'dom', 'unit'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the class's own method, which copies
    const sorted = await super.sort(files);
    const rank = ({ project }: TestSpecification) => BEGIN.indexOf(project.name);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    globalSetup: [
      'tests/support/postgres-server.ts',
      'tests/support/radosgw-server.ts',
      'tests/support/once-per-run.ts',
    ],
    projects: [
      {
        test: {
          ...together,
          name: 'unit',
          include: inFolders('domain', 'experience', 'sealed', 'texts', 'web'),
        },
      },
      {
        test: {
          ...together,
          name: 'server',
          include: inFolders('api', 'contracts', 'faults', 'https', 'architecture', 'scripts'),
        },
      },
      // Pages and components, rendered by React in happy-dom.
      {
        test: {
          ...together,
          name: 'dom',
          include: ['tests/web/**/*.test.tsx'],
          environment: 'happy-dom',
          setupFiles: ['tests/support/dom.ts'],
        },
      },
      { test: { ...together, name: 'media', include: inFolders('media-worker') } },
      // Tests that need a separate process: they replace a Node module or measure memory.
      { test: { ...shared, name: 'alone', include: inFolders('alone') } },
      {
        test: {
          ...engines,
          name: 'engines',
          include: ['tests/engines/*.test.ts'],
          sequence: { groupOrder: 1 },
        },
      },
      { test: { ...inTurn, name: 'long', include: inFolders('long'), sequence: { groupOrder: 2 } } },
      { test: { ...inTurn, name: 'cluster', include: inFolders('cluster'), sequence: { groupOrder: 2 } } },
    ],
  },
});
