import { inject } from 'vitest';
import { type BucketEnv, newBucket, type Radosgw } from './radosgw.ts';

/** Creates a separate bucket on the run's S3 server. */
export async function takeBucket(): Promise<BucketEnv> {
  const response = await fetch(inject('radosgwDoor'));
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return newBucket(JSON.parse(answer) as Radosgw['env']);
}
