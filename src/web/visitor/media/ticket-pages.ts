/** More than a phone would scroll, and pixels enough to read a QR code from the glass. */
const MAX_PAGES = 20;
const MAX_WIDTH_PX = 2_000;

/** Pictures are shown as they are, PDFs page by page. @param url the ticket's own address, with its extension */
export function ticketKind(url: string): 'pdf' | 'picture' {
  return /\.(png|jpe?g)(\?|$)/i.test(url) ? 'picture' : 'pdf';
}

/** Fetches what draws PDFs, where these tickets are one, so that looking at them needs no network later. */
export function prepareTicketPages(url: string): void {
  if (ticketKind(url) === 'pdf') import('unpdf/pdfjs').catch(() => undefined);
}

/**
 * Draws the pages of a PDF, one after the other, for the viewer in the page: nothing depends on a download that works.
 * pdf.js comes only now, and draws in the page itself: no worker, no eval, nothing a strict policy would refuse.
 * @param width of a page on the screen, in CSS pixels
 * @param onPage called for each page in order, counted from 1
 * @param signal stops it; then the promise resolves early
 * Rejects when the file is no PDF or can't be read.
 */
export async function renderTicketPages(
  pdf: Blob,
  width: number,
  onPage: (canvas: HTMLCanvasElement, page: number) => void,
  signal?: AbortSignal,
): Promise<void> {
  const { getDocument } = await import('unpdf/pdfjs');
  const data = new Uint8Array(await pdf.arrayBuffer());
  const task = getDocument({ data, useSystemFonts: true, useWasm: false });
  try {
    const opened = await task.promise;
    const pages = Math.min(opened.numPages, MAX_PAGES);
    for (let number = 1; number <= pages && !signal?.aborted; number += 1) {
      const page = await opened.getPage(number);
      const canvas = document.createElement('canvas');
      const viewport = page.getViewport({ scale: scaleFor(page.getViewport({ scale: 1 }).width, width) });
      canvas.width = Math.ceil(viewport.width);
      canvas.height = Math.ceil(viewport.height);
      await page.render({ canvas, viewport }).promise;
      if (!signal?.aborted) onPage(canvas, number);
    }
  } finally {
    await task.destroy();
  }
}

function scaleFor(pageWidth: number, width: number): number {
  const pixels = Math.min(MAX_WIDTH_PX, width * Math.max(2, globalThis.devicePixelRatio));
  return pixels / pageWidth;
}
