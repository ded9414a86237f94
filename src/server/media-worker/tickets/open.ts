import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';

/** The visitor's viewer draws no more of them (`web/visitor/media/ticket-pages.ts`). */
const VIEWED_PAGES = 20;
/** As that viewer opens it. */
const OPENING = { useSystemFonts: true, useWasm: false, verbosity: 0 } as const;

/**
 * Reads a PDF with what the visitor's viewer reads it with: everything that is needed to draw the pages it draws.
 * @returns how many pages it has
 */
export async function readPages(bytes: Uint8Array, progress: Progress): Promise<number> {
  // It takes the bytes away from whoever hands them in.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), OPENING).catch(refuse);
  try {
    const read = Math.min(pdf.numPages, VIEWED_PAGES);
    if (read < 1) throw new FileRefused('damaged');
    for (let number = 1; number <= read; number += 1) {
      const page = await pdf.getPage(number);
      await readPage(page);
      page.cleanup();
      progress.did(1);
      progress.share(number / read);
    }
    return pdf.numPages;
  } catch (error) {
    return refuse(error);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Its drawing, and then the pictures and the writing that it draws with: they come when they are unpacked. */
async function readPage(page: PDFPageProxy): Promise<void> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const needed = new Set<string>(fnArray.flatMap((fn, i) => (fn === OPS.dependency ? argsArray[i] : [])));
  for (const id of needed) {
    const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
    await new Promise((resolve) => objects.get(id, resolve));
  }
}

/** All that can go wrong here is the file's doing. */
function refuse(error: unknown): never {
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  throw new FileRefused(isLocked ? 'locked' : 'damaged');
}
