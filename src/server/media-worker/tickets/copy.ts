import { isDeepStrictEqual } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Progress } from '../progress.ts';
import { type PdfContent, readPages } from './open.ts';

/**
 * The pages of a PDF in one that can be copied from; what was encrypted and opens without a password is decrypted. Null where the library can't read
 * what viewers can, or where it would look otherwise: forms lie beside the pages, and so does what is hidden on them. Everything in it that is packed is unfolded: what that
 * may need is bounded for the process alone.
 * @param read the PDF as it is drawn
 */
export async function copied(
  bytes: Uint8Array,
  read: PdfContent,
  progress: Progress,
): Promise<PDFDocument | null> {
  try {
    const pdf = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
    const copy = await PDFDocument.create();
    await copyPages(pdf, copy);
    return isDeepStrictEqual(await readPages(await copy.save(), progress), read) ? copy : null;
  } catch {
    return null;
  }
}

/** Copies all pages of one to the end of another. */
export async function copyPages(from: PDFDocument, to: PDFDocument): Promise<void> {
  for (const page of await to.copyPages(from, from.getPageIndices())) to.addPage(page);
}

export const isEncrypted = (bytes: Uint8Array): Promise<boolean> =>
  PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false }).then(
    (pdf) => pdf.isEncrypted,
    () => false,
  );
