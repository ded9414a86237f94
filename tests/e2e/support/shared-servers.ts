import { ownPostgres } from '../../support/own-postgres.ts';
import { type Radosgw, startRadosgw } from '../../support/radosgw.ts';

/** PostgreSQL and S3 servers shared by all tests; each test has its own database and bucket. */
export type Shared = { postgres: string; s3: Radosgw['env'] };

const PLACE = 'SORPRESA_SHARED';

/** Starts them once per run; the workers get their addresses from the runner. */
export default async function setup(): Promise<() => Promise<void>> {
  const [postgres, radosgw] = [await ownPostgres(), await startRadosgw()];
  process.env[PLACE] = JSON.stringify({ postgres: postgres.url, s3: radosgw.env } satisfies Shared);
  return async () => {
    await radosgw.stop();
    await postgres.remove();
  };
}

export function sharedServers(): Shared {
  const addresses = process.env[PLACE];
  if (addresses === undefined) throw new Error(`${PLACE} is not set: the runner's global setup did not run.`);
  return JSON.parse(addresses);
}
