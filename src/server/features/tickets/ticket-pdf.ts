import { pictureLibrary } from '../media/picture-library.ts';

/** PDFs kept in memory: what is wrapped once is not wrapped again for the next download. */
const CACHED = 8;

export type PicturePdf = (media_id: string, read: () => Promise<Buffer>) => Promise<Uint8Array>;

export const isPicture = (content_type: string) =>
  content_type === 'image/png' || content_type === 'image/jpeg';

/** Makes a picture a PDF of one page, so that `biglietti.pdf` is what its name says. The last few are remembered. */
export function createPicturePdf(): PicturePdf {
  const made = new Map<string, Promise<Uint8Array>>();
  return (media_id, read) => {
    const known = made.get(media_id);
    if (known !== undefined) return known;
    const pdf = read().then(wrapPicture);
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

/** A PDF of this one picture. Rejects with `PictureUnreadable`. */
async function wrapPicture(picture: Buffer): Promise<Uint8Array> {
  const { addPicturePage, newTickets } = await import('../../media-worker/tickets/picture-page.ts');
  const pdf = await newTickets();
  const sharp = await pictureLibrary();
  await readable(() => addPicturePage(pdf, picture, sharp));
  return pdf.save();
}

async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new PictureUnreadable('A stored picture of tickets cannot be opened.', { cause: error });
  }
}
