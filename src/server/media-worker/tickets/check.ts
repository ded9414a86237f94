import { open, readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { openPromise } from 'yauzl';
import type { TicketsResult } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { copied } from './copy.ts';
import { readPages } from './open.ts';
import { isCompletePdf } from './whole.ts';

/** Bytes that identify the kind of a file. */
const HEAD_BYTES = 4_096;

/** Checks that the visitor can open a PDF. The file is used unchanged, so nothing is written. */
export async function checkTickets(path: string, progress: Progress): Promise<TicketsResult> {
  await requirePdf(await headOf(path), path);
  const bytes = await readFile(path);
  progress.add(1);
  if (!isCompletePdf(bytes)) throw new FileRejected('cut_short');
  const read = await readPages(bytes, progress);
  return { pages: read.pages, kept: true, joins: (await copied(bytes, read, progress)) !== null };
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Bytes in which readers look for a PDF's signature: printers and servers may write text before it. */
const HEAD = 1_024;
const NAME = '%PDF-';
/** Maximum number of ZIP entries to inspect; a file with more is not a pass. */
const MAX_ENTRIES = 1_000;

/**
 * Rejects with the kind of the file unless it is a PDF.
 * @param head its first bytes
 */
async function requirePdf(head: Buffer, path: string): Promise<void> {
  const at = head.subarray(0, HEAD + NAME.length).indexOf(NAME);
  if (at === 0) return;
  if (head.toString('latin1', 0, 2) === 'PK' && (await isWalletPass(path)))
    throw new FileRejected('wallet_pass');
  // Another kind of file, or a web page, is not a PDF because it contains the signature.
  const isOther = /^\s*</.test(head.toString('utf8')) || (await fileTypeFromBuffer(head)) !== undefined;
  if (at < 0 || isOther) throw new FileRejected('unknown');
}

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
