import { PDFDocument, type SecurityOptions } from '@cantoo/pdf-lib';
import { pdf } from './hostile-files.ts';

/** PDFs like those of a railway. */

type Made = { pages?: number; seat?: string; lock?: SecurityOptions; objectStreams?: boolean };

/** Tickets whose pages show their seat and number. */
export async function made({
  pages = 2,
  seat = 'Posto',
  lock,
  objectStreams = true,
}: Made = {}): Promise<Buffer> {
  const tickets = await PDFDocument.create();
  for (let n = 1; n <= pages; n += 1) tickets.addPage([300, 500]).drawText(`${seat} ${n}`, { x: 40, y: 400 });
  if (lock !== undefined) tickets.encrypt(lock);
  return Buffer.from(await tickets.save({ useObjectStreams: objectStreams }));
}

/** Tickets with a page added by an incremental update. */
export async function changedLater(): Promise<Buffer> {
  const tickets = await PDFDocument.load(await made(), { forIncrementalUpdate: true });
  tickets.addPage([300, 500]);
  return Buffer.from(await tickets.save());
}

/** Encrypted tickets that open without a password, but have no file id that some readers require. */
export async function namelessPdf(): Promise<Buffer> {
  const bytes = await made({ lock: { ownerPassword: 'segreto' }, objectStreams: false });
  return Buffer.from(bytes.toString('latin1').replace(/\/ID\b/, '/Io'), 'latin1');
}

/** A filled-in form: its appearance is stored outside the pages, and readers render the text. */
export const filledPdf = () =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R /AcroForm << /NeedAppearances true /Fields [4 0 R] /DA (/Helv 12 Tf 0 g) /DR << /Font << /Helv 5 0 R >> >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] /Annots [4 0 R] >>',
    '<< /Type /Annot /Subtype /Widget /FT /Tx /T (Nome) /V (Anna) /Rect [20 20 200 40] /F 4 >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]);

/** A hidden layer: its visibility is stored outside the pages. */
export const layeredPdf = () =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [4 0 R] /D << /OFF [4 0 R] >> >> >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] /Resources << /Properties << /L 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /OCG /Name (Copia) >>',
    '<< /Length 33 >>\nstream\n/OC /L BDC 9 9 99 99 re f EMC     \nendstream',
  ]);
