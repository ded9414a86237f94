import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Every test is in one project, by its folder (CONTRIBUTING.md). */
const inFolders = (...folders: string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`);

const shared = {
  setupFiles: ['tests/support/cheap-passwords.ts'],
  // Nothing is measured by it. The first file that a test's own worker is given took 13 s on a busy machine.
  testTimeout: 180_000,
  // The first hook that wants a PostgreSQL waits until there is one, with its tables; others upload a film of 200 MB.
  hookTimeout: 300_000,
  // What comes by itself comes later on a machine that has other things to do: its own second is too short.
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: 3,
};

/** The product is loaded three times, once in each process, and not once more for every file. */
const together = {
  ...shared,
  isolate: false,
  // What three hundred files leave behind would be looked through again and again: a tenth of the time.
  execArgv: ['--initial-heap-size=1024', '--min-semi-space-size=32'],
};

/** One file after the other: what is measured here wants the machine for itself. */
const inTurn = { testTimeout: 900_000, hookTimeout: 300_000, expect: shared.expect, maxWorkers: 1 };

const engines = {
  globalSetup: ['tests/engines/support/web-root.ts'],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  maxWorkers: 4,
};

/** In which order `npm test` begins them: media takes longest, though its files are small. */
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
      // Pages and their parts, drawn by React in happy-dom.
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
      // What wants a process of its own: a module of Node's is another for it, or memory is measured.
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
