import { open, readFile } from 'node:fs/promises';
import type { Tickets } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { copied } from './copy.ts';
import { requirePdf } from './kind.ts';
import { readPages } from './open.ts';
import { isWhole } from './whole.ts';

/** So much shows what kind of file it is (bytes). */
const HEAD = 4_096;

/** Is it a PDF that she can open? It stays as it is, so nothing is made. */
export async function checkTickets(path: string, progress: Progress): Promise<Tickets> {
  await requirePdf(await headOf(path), path);
  const bytes = await readFile(path);
  progress.did(1);
  if (!isWhole(bytes)) throw new FileRefused('cut_short');
  const read = await readPages(bytes, progress);
  return { pages: read.pages, kept: true, joins: (await copied(bytes, read, progress)) !== null };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
