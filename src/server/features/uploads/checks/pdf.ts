import { Worker } from 'node:worker_threads';
import type { FileRefusal } from '../../../../contract/admin/media.ts';
import type { Refused } from '../../../refused.ts';
import { reading } from './sniff.ts';

const PATIENCE_MS = 20_000;
const LIMITS = { maxOldGenerationSizeMb: 256 } as const;
/** A PDF ends with `%%EOF`; so much of its end (bytes) is searched for it. */
const TAIL = 64 * 1024;

export type PdfVerdict = 'good' | 'locked' | 'broken';

/**
 * Can a browser show this PDF? It is read in a thread of its own, with little memory and little time: a small file may unfold into a huge
 * one. One that opens without a password is good even if it forbids printing.
 */
export async function checkPdf(
  path: string,
  signal: AbortSignal,
): Promise<{ good: true } | Refused<FileRefusal>> {
  const tail = await reading(path, async (file) => {
    const { size } = await file.stat();
    const length = Math.min(TAIL, size);
    return (await file.read(Buffer.alloc(length), 0, length, size - length)).buffer;
  });
  if (!tail.includes('%%EOF')) return { refused: 'FILE_TRUNCATED' };
  const verdict = await askThread(path, signal);
  if (verdict === 'locked') return { refused: 'FILE_PDF_LOCKED' };
  return verdict === 'good' ? { good: true } : { refused: 'FILE_BROKEN' };
}

/** A thread that dies, of hunger or of what it read, has met a broken file. */
async function askThread(path: string, signal: AbortSignal): Promise<PdfVerdict> {
  const worker = new Worker(new URL('pdf-thread.ts', import.meta.url), {
    workerData: path,
    resourceLimits: LIMITS,
    stdout: true,
    stderr: true,
  });
  const { promise, resolve, reject } = Promise.withResolvers<PdfVerdict>();
  const timer = setTimeout(() => resolve('broken'), PATIENCE_MS);
  const stop = () => reject(new Error('Stopped.'));
  signal.addEventListener('abort', stop, { once: true });
  worker.once('message', resolve);
  worker.once('error', () => resolve('broken'));
  worker.once('exit', () => resolve('broken'));
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    return worker.terminate();
  });
}
