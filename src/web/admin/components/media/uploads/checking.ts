import { api } from '../../../api.ts';
import { failureOf } from '../../../failure.ts';
import type { Kept } from './upload.ts';

/** Between two questions how far the check is, in milliseconds. */
const ASK_AGAIN_MS = 1_000;

/** Asks the server to check and keep an upload until it has done so. @throws {Failure} */
export async function checkUpload(upload: string, onProgress: (progress: number) => void): Promise<Kept> {
  for (;;) {
    // One question after the other.
    const answer = await api.media.finish({ upload }).catch((error: unknown): never => {
      throw failureOf(error);
    });
    if (answer.state === 'done') return { item: answer.item, versione: answer.versione };
    onProgress(answer.progress);
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
  }
}
