import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { PDFDocument } from '@cantoo/pdf-lib';
import { fileTypeFromBuffer } from 'file-type';
import { openPromise } from 'yauzl';
import { FileRejected, progress, readHead } from '../child/task.ts';
import type { TicketsResult } from '../door.ts';
import { type PdfContent, readPages } from './pdfium.ts';

/** Checks that the visitor can open a PDF. The file is used unchanged, so nothing is written. */
export async function checkTickets(path: string): Promise<TicketsResult> {
  await requirePdf(path);
  const bytes = await readFile(path);
  progress.add(1);
  if (!isCompletePdf(bytes)) throw new FileRejected('cut_short');
  const read = await readPages(bytes);
  return { pages: read.pages, kept: true, joins: (await copied(bytes, read)) !== null };
}

/** Bytes in which readers look for a PDF's signature: printers and servers may write text before it. */
const SIGNATURE_BYTES = 1_024;
const SIGNATURE = '%PDF-';

/** Rejects with the kind of the file unless it is a PDF. */
async function requirePdf(path: string): Promise<void> {
  const { head } = await readHead(path);
  const at = head.subarray(0, SIGNATURE_BYTES + SIGNATURE.length).indexOf(SIGNATURE);
  if (at === 0) return;
  if (head.toString('latin1', 0, 2) === 'PK' && (await isWalletPass(path)))
    throw new FileRejected('wallet_pass');
  // Another kind of file, or a web page, is not a PDF because it contains the signature.
  const isOther = /^\s*</.test(head.toString('utf8')) || (await fileTypeFromBuffer(head)) !== undefined;
  if (at < 0 || isOther) throw new FileRejected('unknown');
}

/** Maximum number of ZIP entries to inspect; a file with more is not a pass. */
const MAX_ENTRIES = 1_000;

/** Returns true for one or several passes of Apple's or Google's wallet: a ZIP file with a `pass.json` or with `.pkpass` files. */
async function isWalletPass(path: string): Promise<boolean> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => null);
  if (zip === null) return false;
  try {
    let seen = 0;
    for await (const { fileName } of zip.eachEntry()) {
      if (fileName === 'pass.json' || fileName.endsWith('.pkpass')) return true;
      if ((seen += 1) > MAX_ENTRIES) break;
    }
    return false;
  } catch {
    return false;
  } finally {
    zip.close();
  }
}

const TABLE_OFFSET = /^startxref\s+(\d+)/;
/** The cross-reference table, or the stream that contains it; no other object. */
const TABLE = /^\s*(xref\b|\d+\s+\d+\s+obj\b((?!stream).)*\/XRef\b)/s;
const TABLE_HEAD_BYTES = 1_024;
const OBJECT = /\b\d+\s+\d+\s+obj\b/;
/** A linearized PDF, shown while it loads: the first of its two tables comes first, with a separate end mark, and it states the length. */
const LINEAR = /\/Linearized\b[^>]*\/L\s+(\d+)/;
/** Bytes that contain any text before the signature and the first object. */
const FIRST_BYTES = 2_048;

/**
 * Returns true if a PDF has its end: a table of all objects, its offset (`startxref`) and a mark (`%%EOF`), which may be missing. Later
 * changes are appended with another such end, and any data may follow.
 */
function isCompletePdf(pdf: Buffer): boolean {
  const offsetPosition = pdf.lastIndexOf('startxref');
  const mark = pdf.lastIndexOf('%%EOF');
  const end = Math.max(offsetPosition, mark);
  if (end < 0 || OBJECT.test(pdf.toString('latin1', end))) return false;
  if (offsetPosition >= 0 && isTableAtOffset(pdf, offsetPosition)) return true;
  // Many PDFs state a wrong offset; every reader then searches for the objects.
  const statedLength = Number(LINEAR.exec(pdf.toString('latin1', 0, FIRST_BYTES))?.[1] ?? 0);
  return end === mark && statedLength <= pdf.length;
}

function isTableAtOffset(pdf: Buffer, offsetPosition: number): boolean {
  const offset = TABLE_OFFSET.exec(pdf.toString('latin1', offsetPosition, offsetPosition + 40))?.[1];
  if (offset === undefined) return false;
  const before = Math.max(0, pdf.subarray(0, FIRST_BYTES).indexOf(SIGNATURE));
  return [0, before].some((start) => {
    const at = start + Number(offset);
    return at < offsetPosition && TABLE.test(pdf.toString('latin1', at, at + TABLE_HEAD_BYTES));
  });
}

/**
 * Returns the pages as a PDF that can be copied from, decrypted if it opens without a password. Returns null if the library can't read the
 * file, or if the copy would look different: forms and hidden content are stored outside the pages. Packed content is unpacked; only the
 * memory limit of the process bounds it.
 * @param read the drawn pages of the original
 */
export async function copied(bytes: Uint8Array, read: PdfContent): Promise<PDFDocument | null> {
  try {
    const pdf = await PDFDocument.load(bytes, { password: '', updateMetadata: false });
    const copy = await PDFDocument.create();
    await copyPages(pdf, copy);
    return isDeepStrictEqual(await readPages(await copy.save()), read) ? copy : null;
  } catch {
    return null;
  }
}

/** Appends all pages of one PDF to another. */
export async function copyPages(from: PDFDocument, to: PDFDocument): Promise<void> {
  for (const page of await to.copyPages(from, from.getPageIndices())) to.addPage(page);
}
