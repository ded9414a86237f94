import { readFile, writeFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { fileTypeFromBuffer } from 'file-type';
import type { TicketPart, TicketsResult } from '../door.ts';
import { sharp } from '../pictures/library.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { copied, copyPages, isEncrypted } from './copy.ts';
import { readPages } from './open.ts';

/** Joins the parts into one PDF, in order; each picture gets a separate page. Signatures become invalid. */
export async function joinTickets(
  parts: readonly TicketPart[],
  made: string,
  progress: Progress,
): Promise<TicketsResult> {
  const joined = await newTickets();
  for (const [done, { path, kind }] of parts.entries()) {
    progress.share(done / parts.length);
    const bytes = await readFile(path);
    if (kind === 'pdf') await addPdf(joined, bytes, progress);
    else await addPicture(joined, bytes, kind);
    progress.add(1);
  }
  const bytes = await joined.save();
  // Reads the file again that the visitor will open.
  const { pages } = await readPages(bytes, progress);
  if (pages !== joined.getPageCount()) throw new FileRejected('damaged');
  await writeFile(made, bytes);
  return { pages, kept: false, joins: true };
}

async function addPdf(joined: PDFDocument, bytes: Buffer, progress: Progress): Promise<void> {
  const pdf = await copied(bytes, await readPages(bytes, progress), progress);
  if (pdf === null) throw new FileRejected((await isEncrypted(bytes)) ? 'locked' : 'damaged');
  await copyPages(pdf, joined);
}

async function addPicture(joined: PDFDocument, bytes: Buffer, kind: 'jpg' | 'png'): Promise<void> {
  if ((await fileTypeFromBuffer(bytes))?.ext !== kind) throw new FileRejected('unknown');
  try {
    await addPicturePage(joined, bytes);
  } catch (cause) {
    throw new FileRejected('damaged', { cause });
  }
}

/** A4 in points, and the white margin around a picture. */
const PAGE = { short: 595.28, long: 841.89, margin: 24 } as const;
/** High quality: machines read the codes on tickets. */
const SHARP_TEXT = { quality: 94, chromaSubsampling: '4:4:4' } as const;

/** Returns a PDF without pages, for `biglietti.pdf`. It contains no date: the same files give the same bytes. */
async function newTickets(): Promise<PDFDocument> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle('Biglietti');
  return pdf;
}

/**
 * Adds a picture on a separate A4 page, as large as possible, the page in the picture's orientation. PDFs ignore a camera's orientation,
 * so it is applied first. Rejects if the picture can't be opened.
 * @param picture a JPEG or PNG
 */
async function addPicturePage(pdf: PDFDocument, picture: Buffer): Promise<void> {
  const image = await pdf.embedJpg(await uprightJpeg(picture));
  const lying = image.width > image.height;
  const [width, height] = lying ? [PAGE.long, PAGE.short] : [PAGE.short, PAGE.long];
  const size = image.scaleToFit(width - 2 * PAGE.margin, height - 2 * PAGE.margin);
  const page = pdf.addPage([width, height]);
  page.drawImage(image, { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size });
}

/** Returns the picture as an upright JPEG, which a PDF stores unchanged. The PDF library would unpack and repack a PNG, for seconds. */
async function uprightJpeg(picture: Buffer): Promise<Buffer> {
  const { format, orientation = 1 } = await sharp(picture).metadata();
  if (format === 'jpeg' && orientation === 1) return picture;
  const upright = sharp(picture).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
  return upright.jpeg(SHARP_TEXT).toBuffer();
}
