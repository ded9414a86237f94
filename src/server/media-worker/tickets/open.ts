import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { Progress } from '../progress.ts';
import { FileRefused } from '../refusal.ts';

/** The visitor's viewer draws no more of them (`web/visitor/media/ticket-pages.ts`). */
const VIEWED_PAGES = 20;
/** As that viewer opens it. */
const OPENING = { useSystemFonts: true, useWasm: false, verbosity: 0 } as const;

export type Read = {
  pages: number;
  /** In a few words what there is to see on those that are viewed: the same words, the same page. */
  seen: string[];
  /** Has it layers that aren't shown? */
  hides: boolean;
};

/** Reads a PDF with what the visitor's viewer reads it with: everything that is needed to draw the pages it draws. */
export async function readPages(bytes: Uint8Array, progress: Progress): Promise<Read> {
  // It takes the bytes away from whoever hands them in.
  const pdf = await getDocumentProxy(Uint8Array.from(bytes), OPENING).catch(refuse);
  try {
    const viewed = Math.min(pdf.numPages, VIEWED_PAGES);
    if (viewed < 1) throw new FileRefused('damaged');
    const seen: string[] = [];
    for (let number = 1; number <= viewed; number += 1) {
      seen.push(await readPage(await pdf.getPage(number)));
      progress.did(1);
    }
    const layers: Iterable<[string, { visible: boolean }]> = await pdf.getOptionalContentConfig();
    const hides = [...layers].some(([, { visible }]) => !visible);
    return { pages: pdf.numPages, seen, hides };
  } catch (error) {
    return refuse(error);
  } finally {
    await pdf.loadingTask.destroy();
  }
}

/** Its drawing, and then the pictures and the letters that it draws with: they come when they are unpacked. */
async function readPage(page: PDFPageProxy): Promise<string> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const needed = new Set<string>(fnArray.flatMap((fn, i) => (fn === OPS.dependency ? argsArray[i] : [])));
  for (const id of needed) {
    const objects = id.startsWith('g_') ? page.commonObjs : page.objs;
    await new Promise((resolve) => objects.get(id, resolve));
  }
  const { items } = await page.getTextContent();
  const words = items.map((item) => ('str' in item ? item.str : '')).join('');
  const { width, height } = page.getViewport({ scale: 1 });
  page.cleanup();
  return JSON.stringify([Math.round(width), Math.round(height), fnArray.length, words]);
}

/** All that can go wrong here is the file's doing. */
function refuse(error: unknown): never {
  if (error instanceof FileRefused) throw error;
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  throw new FileRefused(isLocked ? 'locked' : 'damaged', { cause: error });
}
