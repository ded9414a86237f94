import { rename } from 'node:fs/promises';

/** How long to wait before each further try, in ms: a virus scanner lets go of a new file within half a second. */
const PAUSES = [20, 50, 100, 200, 400, 800];
const HELD = new Set(['EPERM', 'EBUSY']);

/**
 * Gives a file its name, in place of what had it. Windows refuses that while somebody reads either of them: there it is tried again for a
 * while, then the refusal is thrown; everywhere else the first one is.
 * @param attempt the tests' own
 */
export async function renameWithRetry(from: string, to: string, attempt = rename): Promise<void> {
  const pauses = process.platform === 'win32' ? PAUSES : [];
  for (const pause of pauses) {
    try {
      return await attempt(from, to);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && HELD.has(String(error.code)))) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return attempt(from, to);
}
