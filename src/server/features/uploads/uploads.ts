import { join } from 'node:path';
import type { Locker } from '@tus/server';
import type { ProcessingProgress } from '../../../contract/admin/media-processing.ts';
import type { Env } from '../../env.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Jobs } from './jobs.ts';
import { createJobs } from './jobs.ts';
import { evict, type LeaseDeps, type Leases, NO_LEASES, sharedLeases } from './leases.ts';
import { createLocker } from './turns.ts';
import { uploadsInBucket } from './upload-bucket.ts';
import { openUploadFolder, type UploadFolder } from './upload-folder.ts';

/** What the server keeps of files on their way in: where they lie, who is writing, the checks under way, and which node is at what. */
export type Uploads = { folder: UploadFolder; turns: Locker; jobs: Jobs; leases: Leases };

type Where = {
  /** The bucket's place for them, where the files are in one. */
  arriving?: Storage['arriving'];
  /** The database by which the nodes agree who is at what, where others may be at the same uploads. */
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

/** What the work on an upload has to itself among all nodes. */
export const workKey = (id: string) => `work:${id}`;

/** Stops the work on an upload, whichever node is at it, and waits for its end. Rejects with `UploadLocked` where one doesn't stop. */
export async function stopWork({ jobs, leases }: Uploads, id: string): Promise<void> {
  await jobs.stop(id);
  await evict(leases, workKey(id));
}

/** The uploads that some node is at. */
export async function activeUploadIds({ jobs, leases }: Uploads): Promise<(id: string) => boolean> {
  const held = new Set((await leases.held()).map(({ key }) => key.slice(key.indexOf(':') + 1)));
  return (id) => held.has(id) || jobs.find(id) !== undefined;
}

/** How long it still takes only the node knows that is at it. */
export const toProgress = (progress: number | null): ProcessingProgress => ({
  waiting: progress === null,
  progress: progress ?? 0,
  secondsLeft: null,
});
