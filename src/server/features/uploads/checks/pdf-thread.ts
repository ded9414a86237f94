/** Reads one PDF in a thread of its own and says whether it can be opened: see `checkPdf`. */
import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { decodePDFRawStream, PDFContext, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import type { PdfVerdict } from './pdf.ts';

/** No part of a PDF that has to be read for opening it is larger than this when unfolded, in bytes. */
const LARGEST_PART = 64 * 1024 ** 2;

/**
 * The library unfolds streams without a limit: all of them grow through this one method of their common ancestor. It forgives what goes wrong
 * in a part, so that the verdict has to ask.
 */
function limitUnfolding(): { exceeded: boolean } {
  const limit = { exceeded: false };
  const dict = PDFContext.create().obj({ Filter: PDFName.of('FlateDecode') });
  const stream = decodePDFRawStream(PDFRawStream.of(dict, Uint8Array.of(0x78, 0x9c, 3, 0, 0, 0, 0, 1)));
  type Growing = { ensureBuffer(size: number): Uint8Array };
  const ancestor = Object.getPrototypeOf(Object.getPrototypeOf(stream)) as Growing;
  const { ensureBuffer } = ancestor;
  ancestor.ensureBuffer = function limited(this: Growing, size) {
    limit.exceeded ||= size > LARGEST_PART;
    if (limit.exceeded) throw new RangeError('A part of the PDF is too large.');
    return ensureBuffer.call(this, size);
  };
  return limit;
}

async function verdictOn(path: string): Promise<PdfVerdict> {
  const bytes = await readFile(path);
  const limit = limitUnfolding();
  const pdf = await PDFDocument.load(bytes, { ignoreEncryption: true, updateMetadata: false });
  if (limit.exceeded) return 'broken';
  if (pdf.isEncrypted) return lockOf(bytes);
  return pdf.getPageCount() > 0 ? 'good' : 'broken';
}

/** Many tickets are encrypted and open all the same, without a password: the visitor's own viewer decides. */
async function lockOf(bytes: Uint8Array): Promise<PdfVerdict> {
  const { getDocumentProxy } = await import('unpdf');
  try {
    const pdf = await getDocumentProxy(new Uint8Array(bytes));
    return pdf.numPages > 0 ? 'good' : 'broken';
  } catch (error) {
    return error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken';
  }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(await verdictOn(workerData as string).catch((): PdfVerdict => 'broken'));
