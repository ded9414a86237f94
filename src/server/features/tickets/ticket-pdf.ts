import { pictureLibrary } from '../media/picture-library.ts';

/** PDFs kept in memory: what is wrapped once is not wrapped again for the next download. */
const CACHED = 8;
/** A4, in points, and the white edge around the picture. */
const PAGE = { short: 595.28, long: 841.89, margin: 24 } as const;

export type PicturePdf = (
  media_id: string,
  type: PictureType,
  read: () => Promise<Buffer>,
) => Promise<Uint8Array>;
export type PictureType = 'image/png' | 'image/jpeg';

export function isPicture(content_type: string): content_type is PictureType {
  return content_type === 'image/png' || content_type === 'image/jpeg';
}

/** Makes a picture a PDF of one page, so that `biglietti.pdf` is what its name says. The last few are remembered. */
export function createPicturePdf(): PicturePdf {
  const made = new Map<string, Promise<Uint8Array>>();
  return (media_id, type, read) => {
    const known = made.get(media_id);
    if (known !== undefined) return known;
    const pdf = read().then((picture) => wrapPicture(picture, type));
    made.set(media_id, pdf);
    pdf.catch(() => made.delete(media_id));
    const [oldest] = made.keys();
    if (made.size > CACHED && oldest !== undefined) made.delete(oldest);
    return pdf;
  };
}

/** A stored picture that nobody can open. */
export class PictureUnreadable extends Error {
  override name = 'PictureUnreadable';
}

/** The picture as large as an A4 page allows, the page turned the way the picture lies. Rejects with `PictureUnreadable`. */
export async function wrapPicture(picture: Buffer, type: PictureType): Promise<Uint8Array> {
  const { PDFDocument } = await import('pdf-lib');
  const pdf = await PDFDocument.create();
  pdf.setTitle('Biglietti');
  const image = await readable(async () => pdf.embedJpg(await uprightJpeg(picture, type)));
  const lying = image.width > image.height;
  const [width, height] = lying ? [PAGE.long, PAGE.short] : [PAGE.short, PAGE.long];
  const size = image.scaleToFit(width - 2 * PAGE.margin, height - 2 * PAGE.margin);
  const page = pdf.addPage([width, height]);
  page.drawImage(image, { x: (width - size.width) / 2, y: (height - size.height) / 2, ...size });
  return pdf.save();
}

/**
 * A PDF doesn't know how a camera was held: what lies on its side is turned before. A PNG becomes a JPEG, which goes into the PDF as it is:
 * the PDF's library would unpack and pack a PNG itself, for seconds, on the thread that everybody waits for.
 */
async function uprightJpeg(picture: Buffer, type: PictureType): Promise<Buffer> {
  const sharp = await pictureLibrary();
  const { orientation = 1 } = await sharp(picture).metadata();
  if (type === 'image/jpeg' && orientation === 1) return picture;
  const upright = sharp(picture).autoOrient().flatten({ background: '#ffffff' }).toColourspace('srgb');
  return upright.jpeg(SHARP_TEXT).toBuffer();
}

/** Codes on tickets are read by machines. */
const SHARP_TEXT = { quality: 94, chromaSubsampling: '4:4:4' } as const;

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PictureUnreadable('A stored picture of tickets cannot be opened.', { cause: error });
  }
}
