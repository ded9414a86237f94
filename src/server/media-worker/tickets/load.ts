import { PDFDocument } from '@cantoo/pdf-lib';

/**
 * Opens a PDF so that its pages can be copied; one that is encrypted and opens without a password is decrypted. Everything in it that is packed is
 * unfolded: what that may need is bounded for the process alone. Rejects where the library can't read what viewers can.
 * @param pages as many as viewers find in it
 */
export async function loadPdf(bytes: Uint8Array, pages: number): Promise<PDFDocument> {
  const pdf = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
  if (pdf.getPageCount() !== pages) throw new Error('Not all of its pages were found.');
  return pdf;
}

export const isEncrypted = (bytes: Uint8Array): Promise<boolean> =>
  PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false }).then(
    (pdf) => pdf.isEncrypted,
    () => false,
  );

/** Copies all pages of one to the end of another. */
export async function copyPages(from: PDFDocument, to: PDFDocument): Promise<void> {
  for (const page of await to.copyPages(from, from.getPageIndices())) to.addPage(page);
}

/** By trying: what it comes to is thrown away. */
export async function canBeJoined(bytes: Uint8Array, pages: number): Promise<boolean> {
  try {
    await copyPages(await loadPdf(bytes, pages), await PDFDocument.create());
    return true;
  } catch {
    return false;
  }
}
