import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** From the longest to the shortest: what begins last is waited for at the end. */
const ORDER = ['-real-time', '-back', '/firefox', '/webkit', '-two-trips'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      ORDER.findIndex((end) => moduleId.endsWith(`${end}.test.ts`));
    return files.toSorted((a, b) => rank(a) - rank(b));
  }
}

/** The evening in WebKitGTK and Firefox ESR, side by side. */
export default defineConfig({
  test: {
    include: ['tests/engines/**/*.test.ts'],
    sequence: { sequencer: LongestFirst },
    globalSetup: ['tests/engines/support/web-roots.ts', 'tests/e2e/support/once-a-run.ts'],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // On two cores: an evening waits for what moves, as those in Chromium do.
    maxWorkers: 5,
    passWithNoTests: false,
  },
});
