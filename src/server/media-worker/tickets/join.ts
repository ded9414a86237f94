import { readFile, writeFile } from 'node:fs/promises';
import type { PDFDocument } from '@cantoo/pdf-lib';
import { fileTypeFromBuffer } from 'file-type';
import type { TicketPart, Tickets } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';
import { copyPages, isEncrypted, loadPdf } from './load.ts';
import { readPages } from './open.ts';
import { addPicturePage, newTickets } from './picture-page.ts';

/** Makes one PDF of all of them, in their order; each picture has a page of its own. What was signed isn't any more. */
export async function joinTickets(
  parts: readonly TicketPart[],
  made: string,
  progress: Progress,
): Promise<Tickets> {
  const joined = await newTickets();
  for (const { path, kind } of parts) {
    const bytes = await readFile(path);
    if (kind === 'pdf') await addPdf(joined, bytes, progress);
    else await addPicture(joined, bytes, kind);
    progress.did(1);
  }
  const bytes = await joined.save();
  // What she will open is opened once more.
  const pages = await readPages(bytes, progress);
  if (pages !== joined.getPageCount()) throw new FileRefused('damaged');
  await writeFile(made, bytes);
  return { pages, kept: false, joins: true };
}

async function addPdf(joined: PDFDocument, bytes: Buffer, progress: Progress): Promise<void> {
  const pages = await readPages(bytes, progress);
  try {
    await copyPages(await loadPdf(bytes, pages), joined);
  } catch {
    throw new FileRefused((await isEncrypted(bytes)) ? 'locked' : 'damaged');
  }
}

async function addPicture(joined: PDFDocument, bytes: Buffer, kind: 'jpg' | 'png'): Promise<void> {
  if ((await fileTypeFromBuffer(bytes))?.ext !== kind) throw new FileRefused('unknown');
  const { default: sharp } = await import('sharp');
  try {
    await addPicturePage(joined, bytes, sharp);
  } catch {
    throw new FileRefused('damaged');
  }
}
