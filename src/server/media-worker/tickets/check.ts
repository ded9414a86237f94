import { open, readFile } from 'node:fs/promises';
import { fileTypeFromBuffer } from 'file-type';
import { openPromise } from 'yauzl';
import type { TicketsResult } from '../door.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { copied } from './copy.ts';
import { readPages } from './open.ts';
import { isCompletePdf } from './whole.ts';

/** So much shows what kind of file it is (bytes). */
const SHOWN = 4_096;

/** Is it a PDF that she can open? It stays as it is, so nothing is made. */
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
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SHOWN), 0, SHOWN, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Readers look for a PDF's name in its first bytes: printers and servers leave words of their own before it. */
const HEAD = 1_024;
const NAME = '%PDF-';
/** A ZIP file that names more is no pass. */
const MOST_ENTRIES = 1_000;

/**
 * Lets a PDF through and says of everything else what it is.
 * @param head its first bytes
 */
async function requirePdf(head: Buffer, path: string): Promise<void> {
  const at = head.subarray(0, HEAD + NAME.length).indexOf(NAME);
  if (at === 0) return;
  if (head.toString('latin1', 0, 2) === 'PK' && (await isWalletPass(path)))
    throw new FileRejected('wallet_pass');
  // What is something else, or a page of the web, isn't a PDF for having its name in it.
  const isOther = /^\s*</.test(head.toString('utf8')) || (await fileTypeFromBuffer(head)) !== undefined;
  if (at < 0 || isOther) throw new FileRejected('unknown');
}

/** A ticket of Apple's or Google's wallet, or several of them: a ZIP file with a `pass.json`, or with such files. */
async function isWalletPass(path: string): Promise<boolean> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(() => null);
  if (zip === null) return false;
  try {
    let seen = 0;
    for await (const { fileName } of zip.eachEntry()) {
      if (fileName === 'pass.json' || fileName.endsWith('.pkpass')) return true;
      if ((seen += 1) > MOST_ENTRIES) break;
    }
    return false;
  } catch {
    return false;
  } finally {
    zip.close();
  }
}
