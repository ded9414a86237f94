import { join } from 'node:path';
import type { Locker } from '@tus/server';
import type { Env } from '../../env.ts';
import type { Jobs } from './jobs.ts';
import { createJobs } from './jobs.ts';
import { createTurns } from './turns.ts';
import { openUploadFolder, type UploadFolder } from './upload-folder.ts';

/** What the server keeps of files on their way in: where they lie, who is writing, and the checks under way. */
export type Uploads = { folder: UploadFolder; turns: Locker; jobs: Jobs };

export async function openUploads({ DATA_DIR }: Pick<Env, 'DATA_DIR'>): Promise<Uploads> {
  return {
    folder: await openUploadFolder(join(DATA_DIR, 'uploads')),
    turns: createTurns(),
    jobs: createJobs(),
  };
}
