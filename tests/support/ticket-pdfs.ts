import { PDFDocument, type SecurityOptions } from '@cantoo/pdf-lib';

/** PDFs as a railway makes them. */

type Made = { pages?: number; seat?: string; lock?: SecurityOptions; objectStreams?: boolean };

/** Each page says its seat and its number. */
export async function made({
  pages = 2,
  seat = 'Posto',
  lock,
  objectStreams = true,
}: Made = {}): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  for (let n = 1; n <= pages; n += 1) pdf.addPage([300, 500]).drawText(`${seat} ${n}`, { x: 40, y: 400 });
  if (lock !== undefined) pdf.encrypt(lock);
  return Buffer.from(await pdf.save({ useObjectStreams: objectStreams }));
}

/** The same with a page more, written behind its end. */
export async function changedLater(): Promise<Buffer> {
  const pdf = await PDFDocument.load(await made(), { forIncrementalUpdate: true });
  pdf.addPage([300, 500]);
  return Buffer.from(await pdf.save());
}

/** Encrypted, and opens without a password; but without the name of the file that some readers ask for. */
export async function namelessPdf(): Promise<Buffer> {
  const bytes = await made({ lock: { ownerPassword: 'segreto' }, objectStreams: false });
  return Buffer.from(bytes.toString('latin1').replace(/\/ID\b/, '/Io'), 'latin1');
}
