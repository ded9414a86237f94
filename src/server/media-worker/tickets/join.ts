import { readFile, writeFile } from 'node:fs/promises';
import type { PDFDocument } from '@cantoo/pdf-lib';
import { fileTypeFromBuffer } from 'file-type';
import type { TicketPart, Tickets } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { copied, copyPages, isEncrypted } from './copy.ts';
import { readPages } from './open.ts';
import { addPicturePage, newTickets } from './picture-page.ts';

/** Makes one PDF of all of them, in their order; each picture has a page of its own. What was signed isn't any more. */
export async function joinTickets(
  parts: readonly TicketPart[],
  made: string,
  progress: Progress,
): Promise<Tickets> {
  const joined = await newTickets();
  for (const [done, { path, kind }] of parts.entries()) {
    progress.share(done / parts.length);
    const bytes = await readFile(path);
    if (kind === 'pdf') await addPdf(joined, bytes, progress);
    else await addPicture(joined, bytes, kind);
    progress.did(1);
  }
  const bytes = await joined.save();
  // What she will open is opened once more.
  const { pages } = await readPages(bytes, progress);
  if (pages !== joined.getPageCount()) throw new FileRefused('damaged');
  await writeFile(made, bytes);
  return { pages, kept: false, joins: true };
}

async function addPdf(joined: PDFDocument, bytes: Buffer, progress: Progress): Promise<void> {
  const pdf = await copied(bytes, await readPages(bytes, progress), progress);
  if (pdf === null) throw new FileRefused((await isEncrypted(bytes)) ? 'locked' : 'damaged');
  await copyPages(pdf, joined);
}

async function addPicture(joined: PDFDocument, bytes: Buffer, kind: 'jpg' | 'png'): Promise<void> {
  if ((await fileTypeFromBuffer(bytes))?.ext !== kind) throw new FileRefused('unknown');
  try {
    await addPicturePage(joined, bytes);
  } catch (cause) {
    throw new FileRefused('damaged', { cause });
  }
}
