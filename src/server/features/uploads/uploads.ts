import { join } from 'node:path';
import type { Locker } from '@tus/server';
import type { ProcessingProgress } from '../../../contract/admin/media.ts';
import type { Env } from '../../env.ts';
import type { Storage } from '../../storage/storage.ts';
import { createJobs, type Jobs } from './jobs.ts';
import { evict, type LeaseDeps, type Leases, NO_LEASES, sharedLeases } from './leases.ts';
import { createLocker } from './turns.ts';
import { uploadsInBucket } from './upload-bucket.ts';
import { openUploadFolder, type UploadFolder } from './upload-folder.ts';

/** Incoming files: their folder, the lock per upload, the jobs of this process and the leases of all nodes. */
export type Uploads = { folder: UploadFolder; turns: Locker; jobs: Jobs; leases: Leases };

type Where = {
  /** The bucket's store for incoming files; null without a bucket. */
  arriving?: Storage['arriving'];
  /** Database for the leases, if other nodes may work on the same uploads. */
  shared?: LeaseDeps | false;
};

export async function openUploads(
  { DATA_DIR }: Pick<Env, 'DATA_DIR'>,
  { arriving = null, shared = false }: Where = {},
): Promise<Uploads> {
  const leases = shared ? sharedLeases(shared) : NO_LEASES;
  const here = await openUploadFolder(join(DATA_DIR, 'uploads'));
  return {
    folder: arriving === null ? here : uploadsInBucket(arriving, here),
    turns: createLocker(leases),
    jobs: createJobs(),
    leases,
  };
}

/** Lease key of the work on an upload. */
export const workKey = (id: string) => `work:${id}`;

/** Stops the work on an upload on any node, and waits for its end. Rejects with `UploadLocked` if a node doesn't stop. */
export async function stopWork({ jobs, leases }: Uploads, id: string): Promise<void> {
  await jobs.stop(id);
  await evict(leases, workKey(id));
}

/** Returns a function that is true for uploads that a node works on. */
export async function activeUploadIds({ jobs, leases }: Uploads): Promise<(id: string) => boolean> {
  const held = new Set((await leases.held()).map(({ key }) => key.slice(key.indexOf(':') + 1)));
  return (id) => held.has(id) || jobs.find(id) !== undefined;
}

/** Only the node that works on it knows the remaining time. */
export const toProgress = (progress: number | null): ProcessingProgress => ({
  waiting: progress === null,
  progress: progress ?? 0,
  secondsLeft: null,
});
