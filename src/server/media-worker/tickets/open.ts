import { hash } from 'node:crypto';
import { TICKET_PAGES } from '../../../domain/media.ts';
import type { Progress } from '../progress.ts';
import { FileRejected } from '../refusal.ts';
import { drawPage, type Pdf, PdfLocked, withPage, withPdf } from './pdfium.ts';

/** Width in pixels, enough to distinguish two pages. */
const PREVIEW_WIDTH = 300;

export type PdfContent = {
  pages: number;
  /** SHA-256 of a small drawing of each shown page; pages that look the same have the same one. */
  drawn: string[];
};

/** Opens a PDF and draws its shown pages at a small size. Rejects with `FileRejected`. */
export function readPages(bytes: Uint8Array, progress: Progress): Promise<PdfContent> {
  return openTickets(bytes, async (pdf) => {
    const drawn = await eachPage(pdf, progress, async (index) =>
      withPage(pdf, index, (page) => {
        const { pixels, width, height } = drawPage(pdf, page, PREVIEW_WIDTH);
        return `${width}×${height} ${hash('sha256', pixels)}`;
      }),
    );
    return { pages: pdf.pageCount, drawn };
  });
}

/** Opens a PDF that has pages. Rejects with `FileRejected` for any error of the file. */
export async function openTickets<T>(bytes: Uint8Array, work: (pdf: Pdf) => Promise<T>): Promise<T> {
  try {
    return await withPdf(bytes, (pdf) => {
      if (pdf.pageCount < 1) throw new FileRejected('damaged');
      return work(pdf);
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') endProcess(error);
    if (error instanceof FileRejected || isOfMachine(error)) throw error;
    throw new FileRejected(error instanceof PdfLocked ? 'locked' : 'damaged', { cause: error });
  }
}

/** Ends the process: after a crash PDFium's memory can't be trusted. The next file gets a new process. */
function endProcess(error: Error): never {
  console.error(error.message);
  process.exit(1);
}

/** Returns true for errors of the machine, such as a full disk. */
const isOfMachine = (error: unknown) => error instanceof Error && 'code' in error;

/** Calls `work` with each shown page, in order; indexes count from 0. */
export async function eachPage<T>(
  { pageCount }: Pdf,
  progress: Progress,
  work: (index: number) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < Math.min(pageCount, TICKET_PAGES.max); index += 1) {
    results.push(await work(index));
    progress.add(1);
  }
  return results;
}
