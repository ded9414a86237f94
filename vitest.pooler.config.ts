import { defineConfig } from 'vitest/config';
import { ALONE, shared } from './vitest.config.ts';

/** What `npm test` asks of PostgreSQL, with a PgBouncer between that lends a connection for one transaction. Part of `npm run test:cluster`. */
export default defineConfig({
  test: {
    ...shared,
    include: ['tests/{api,contracts,faults}/**/*.test.ts'],
    exclude: ALONE,
    testNamePattern: /postgres/,
    env: { BEHIND_POOLER: '1' },
    globalSetup: [
      'tests/support/postgres-server.ts',
      'tests/support/radosgw-server.ts',
      'tests/support/once-a-run.ts',
    ],
    isolate: false,
    passWithNoTests: false,
  },
});
