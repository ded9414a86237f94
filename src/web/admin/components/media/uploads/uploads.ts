import type { UploadTarget } from './job.ts';
import { createUploadRun, type UploadRun } from './run.ts';
import { addUpload, removeUpload, updateUpload } from './store.ts';
import type { Upload } from './upload.ts';

const runs = new Map<string, UploadRun>();
const SENDING = { phase: 'sending', bytesPerSecond: null, secondsLeft: null } as const;
let lastNumber = 0;

/** Sends a file into a slot; resumes an earlier upload of the same file. */
export function startUpload(file: File, job: UploadTarget): void {
  begin({ nome: file.name, size: file.size }, job).takeFile(file);
}

export function retryUpload(key: string): void {
  updateUpload(key, { state: SENDING });
  runs.get(key)?.again();
}

/** Resumes an upload with its file chosen again. */
export function reattachFile(key: string, file: File): void {
  updateUpload(key, { state: SENDING });
  runs.get(key)?.takeFile(file);
}

/** Stops an upload for good and deletes it on the server. */
export async function cancelUpload(key: string): Promise<void> {
  const run = runs.get(key);
  end(key);
  await run?.cancel();
}

/** Stops all uploads before a sign-out. Their bytes stay on the server, and the file's page offers to resume. */
export function pauseUploads(): void {
  for (const [key, run] of runs) {
    end(key);
    run.pause();
  }
}

/** Removes an ended upload from the list. */
export function dismissUpload(key: string): void {
  end(key);
}

function begin(upload: Pick<Upload, 'nome' | 'size'>, job: UploadTarget): UploadRun {
  lastNumber += 1;
  const key = `upload-${lastNumber}`;
  addUpload({ ...upload, key, slot: job.slot, upload: null, sent: 0, state: SENDING });
  const run = createUploadRun(key, job, { isEnded: () => !runs.has(key), onEnded: () => end(key) });
  runs.set(key, run);
  return run;
}

function end(key: string): void {
  runs.delete(key);
  removeUpload(key);
}
