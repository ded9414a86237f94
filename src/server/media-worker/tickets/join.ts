import { readFile, writeFile } from 'node:fs/promises';
import { PDFDocument } from '@cantoo/pdf-lib';
import { fileTypeFromBuffer } from 'file-type';
import { FileRejected, progress } from '../child/task.ts';
import type { TicketPart, TicketsResult } from '../door.ts';
import { sharp } from '../pictures/pixels.ts';
import { copied, copyPages } from './check.ts';
import { readPages } from './pdfium.ts';

/** Joins the parts into one PDF, in order; each picture gets a separate page. Signatures become invalid. */
export async function joinTickets({
  parts,
  output,
}: {
  parts: readonly TicketPart[];
  output: string;
}): Promise<TicketsResult> {
  // It contains no date: the same files give the same bytes.
  const joined = await PDFDocument.create({ updateMetadata: false });
  joined.setTitle('Biglietti');
  for (const [done, { path, kind }] of parts.entries()) {
    progress.share(done / parts.length);
    const bytes = await readFile(path);
    if (kind === 'pdf') await addPdf(joined, bytes);
    else await addPicture(joined, bytes, kind);
    progress.add(1);
  }
  const bytes = await joined.save();
  // Reads the file again that the visitor will open.
  const { pages } = await readPages(bytes);
  if (pages !== joined.getPageCount()) throw new FileRejected('damaged');
  await writeFile(output, bytes);
  return { pages, kept: false, joins: true };
}

async function addPdf(joined: PDFDocument, bytes: Buffer): Promise<void> {
  const pdf = await copied(bytes, await readPages(bytes));
  if (pdf !== null) return copyPages(pdf, joined);
  const isEncrypted = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false }).then(
    ({ isEncrypted }) => isEncrypted,
    () => false,
  );
  throw new FileRejected(isEncrypted ? 'locked' : 'damaged');
}

async function addPicture(joined: PDFDocument, bytes: Buffer, kind: 'jpg' | 'png'): Promise<void> {
  if ((await fileTypeFromBuffer(bytes))?.ext !== kind) throw new FileRejected('unknown');
  await addPicturePage(joined, bytes).catch((cause: unknown) => {
    throw new FileRejected('damaged', { cause });
  });
}

/** A4 in points, and the white margin around a picture. */
const PAGE = { short: 595.28, long: 841.89, margin: 24 } as const;
/** High quality: machines read the codes on tickets. */
const SHARP_TEXT = { quality: 94, chromaSubsampling: '4:4:4' } as const;

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
