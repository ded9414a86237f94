import { isDeepStrictEqual } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import type { Progress } from '../progress.ts';
import { type PdfContent, readPages } from './open.ts';

/**
 * Returns the pages as a PDF that can be copied from, decrypted if it opens without a password. Returns null if the library can't read the
 * file, or if the copy would look different: forms and hidden content are stored outside the pages. Packed content is unpacked; only the
 * memory limit of the process bounds it.
 * @param read the drawn pages of the original
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

/** Appends all pages of one PDF to another. */
export async function copyPages(from: PDFDocument, to: PDFDocument): Promise<void> {
  for (const page of await to.copyPages(from, from.getPageIndices())) to.addPage(page);
}

export const isEncrypted = (bytes: Uint8Array): Promise<boolean> =>
  PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false }).then(
    (pdf) => pdf.isEncrypted,
    () => false,
  );
