import { fileTypeFromBuffer } from 'file-type';
import { openPromise } from 'yauzl';
import { FileRefused } from '../refusal.ts';

/** Readers look for a PDF's name in its first bytes: printers and servers leave words of their own before it. */
const HEAD = 1_024;
const NAME = '%PDF-';
/** A ZIP file that names more is no pass. */
const MOST_ENTRIES = 1_000;

/**
 * Lets a PDF through and says of everything else what it is.
 * @param head its first bytes
 */
export async function requirePdf(head: Buffer, path: string): Promise<void> {
  const at = head.subarray(0, HEAD + NAME.length).indexOf(NAME);
  if (at === 0) return;
  if (head.toString('latin1', 0, 2) === 'PK' && (await isWalletPass(path)))
    throw new FileRefused('wallet_pass');
  // What is something else, or a page of the web, isn't a PDF for having its name in it.
  const isOther = /^\s*</.test(head.toString('utf8')) || (await fileTypeFromBuffer(head)) !== undefined;
  if (at < 0 || isOther) throw new FileRefused('unknown');
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
