import { PDFDocument } from '@cantoo/pdf-lib';
import { sharp } from '../pictures/library.ts';

/** A4, in points, and the white edge around the picture. */
const PAGE = { short: 595.28, long: 841.89, margin: 24 } as const;
/** Codes on tickets are read by machines. */
const SHARP_TEXT = { quality: 94, chromaSubsampling: '4:4:4' } as const;

/** A PDF without pages, to become `biglietti.pdf`. It tells no moment: of the same files the same bytes are made. */
export async function newTickets(): Promise<PDFDocument> {
  const pdf = await PDFDocument.create({ updateMetadata: false });
  pdf.setTitle('Biglietti');
  return pdf;
}

/**
 * Adds a picture on a page of its own: as large as A4 allows, the page turned the way the picture lies. A PDF doesn't know how a camera was held:
 * what lies on its side is turned before. Rejects when nobody can open the picture.
 * @param picture a JPEG or PNG
 */
export async function addPicturePage(pdf: PDFDocument, picture: Buffer): Promise<void> {
  const image = await pdf.embedJpg(await uprightJpeg(picture));
  const lying = image.width > image.height;
  const [width, height] = lying ? [PAGE.long, PAGE.short] : [PAGE.short, PAGE.long];
  const size = image.scaleToFit(width - 2 * PAGE.margin, height - 2 * PAGE.margin);
  const page = pdf.addPage([width, height]);
  page.drawImage(image, { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size });
}

/** A PNG becomes a JPEG, which goes into the PDF as it is: the PDF's library would unpack and pack a PNG itself, for seconds. */
async function uprightJpeg(picture: Buffer): Promise<Buffer> {
  const { format, orientation = 1 } = await sharp(picture).metadata();
  if (format === 'jpeg' && orientation === 1) return picture;
  const upright = sharp(picture).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
  return upright.jpeg(SHARP_TEXT).toBuffer();
}
