import { rename } from 'node:fs/promises';

/** Waits before the retries, in ms: a virus scanner releases a new file within half a second. */
const RETRY_WAITS_MS = [20, 50, 100, 200, 400, 800];
const FILE_IN_USE = new Set(['EPERM', 'EBUSY']);

/**
 * Renames a file, replacing an existing one. Windows refuses while either is open: retries for a while there.
 * @param attempt replaced in tests
 */
export async function renameWithRetry(from: string, to: string, attempt = rename): Promise<void> {
  const pauses = process.platform === 'win32' ? RETRY_WAITS_MS : [];
  for (const pause of pauses) {
    try {
      return await attempt(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && FILE_IN_USE.has(String(error.code)))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return attempt(from, to);
}
