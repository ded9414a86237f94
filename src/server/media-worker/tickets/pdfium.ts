import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';
import { TICKET_PAGES } from '../../../domain/media.ts';
import { FileRejected, progress } from '../child/task.ts';

const require = createRequire(import.meta.url);

/** PDFium as WebAssembly. Its functions take numbers: handles, and addresses in its memory. */
export const pdfium = await init({
  wasmBinary: readFileSync(require.resolve('@embedpdf/pdfium/pdfium.wasm')).buffer,
});
pdfium.PDFiumExt_Init();

const { pdfium: module } = pdfium;

/** Returns PDFium's memory; a view is valid until the next call that may allocate. */
export const memory = (): Uint8Array => (module as unknown as { HEAPU8: Uint8Array }).HEAPU8;

/** Allocates `size` bytes of PDFium's memory for the time of `work`. */
export function withMemory<T>(size: number, work: (address: number) => T): T {
  const address = module.wasmExports.malloc(size);
  if (address === 0) throw new RangeError('PDFium has no memory left');
  try {
    return work(address);
  } finally {
    module.wasmExports.free(address);
  }
}

/** Full XFA: a program that only Adobe's readers run draws the content. The pages hold a placeholder. */
const XFA_FULL = 2;

/** An open document and the environment that draws its form fields. */
type Pdf = { document: number; form: number; pageCount: number; hasOnlyPlaceholders: boolean };

/** Errors that mean: it requires a password, or its encryption is unknown to PDFium. */
const LOCKED_ERRORS = [4, 5];

/** Opens a PDF for the time of `work`. Throws `FileRejected` for a locked one, and an `Error` if it can't be opened. */
function withPdf<T>(bytes: Uint8Array, work: (pdf: Pdf) => Promise<T>): Promise<T> {
  const address = module.wasmExports.malloc(bytes.length);
  if (address === 0) throw new RangeError('PDFium has no memory left');
  memory().set(bytes, address);
  const document = pdfium.FPDF_LoadMemDocument(address, bytes.length, '');
  if (document === 0) {
    const status = pdfium.FPDF_GetLastError();
    module.wasmExports.free(address);
    const error = new Error(`PDFium can't open it: error ${status}`);
    throw LOCKED_ERRORS.includes(status) ? new FileRejected('locked', { cause: error }) : error;
  }
  const fillInfo = pdfium.PDFiumExt_OpenFormFillInfo();
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, fillInfo);
  const hasOnlyPlaceholders = pdfium.FPDF_GetFormType(document) === XFA_FULL;
  const pageCount = pdfium.FPDF_GetPageCount(document);
  return work({ document, form, pageCount, hasOnlyPlaceholders }).finally(() => {
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(fillInfo);
    pdfium.FPDF_CloseDocument(document);
    module.wasmExports.free(address);
  });
}

/** Loads a page, counted from 0, for the time of `work`. Throws if it can't be loaded. */
function withPage<T>({ document, form }: Pdf, index: number, work: (page: number) => T): T {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (page === 0) throw new Error(`PDFium can't load page ${index + 1}`);
  try {
    pdfium.FORM_OnAfterLoadPage(page, form);
    return work(page);
  } finally {
    pdfium.FORM_OnBeforeClosePage(page, form);
    pdfium.FPDF_ClosePage(page);
  }
}

/** A drawn page: RGBA, row by row without gaps. */
export type Drawing = { pixels: Buffer; width: number; height: number };

/** Bitmap with four bytes per pixel, blue first; the `rgba` flag reverses the order. */
const BGRA = 4;
const FLAGS = { annotations: 0x01, rgba: 0x10 } as const;
const WHITE = 0xff_ff_ff_ff;
/** Limits of a picture: the longest side of a WebP file, and the memory it takes, in pixels. */
const MAX_SIDE = 16_383;
const MAX_PIXELS = 12_000_000;

/** Draws a page on white with its form fields and annotations, `requestedWidth` wide or less if it would be too large. */
export function drawPage({ form }: Pdf, page: number, requestedWidth: number): Drawing {
  const { width, height } = pixelSize(page, requestedWidth);
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, 0, 0);
  if (bitmap === 0) throw new RangeError('PDFium has no memory left');
  try {
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
    pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, FLAGS.annotations | FLAGS.rgba);
    pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, FLAGS.rgba);
    // Four bytes per pixel leave no gap between rows.
    const start = pdfium.FPDFBitmap_GetBuffer(bitmap);
    return { pixels: Buffer.from(memory().subarray(start, start + width * height * 4)), width, height };
  } finally {
    pdfium.FPDFBitmap_Destroy(bitmap);
  }
}

function pixelSize(page: number, requestedWidth: number): { width: number; height: number } {
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page);
  if (!(ratio > 0 && Number.isFinite(ratio))) throw new Error('The page has no size');
  const width = Math.min(requestedWidth, MAX_SIDE / ratio, Math.sqrt(MAX_PIXELS / ratio));
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(width * ratio)) };
}

/**
 * Opens a PDF and draws its shown pages, in order. `finish` takes a drawing after its page was closed. Rejects with `FileRejected` for any
 * error of the file.
 */
export async function mapPages<D, T>(
  bytes: Uint8Array,
  draw: (pdf: Pdf, page: number) => D,
  finish: (drawn: D, pageNumber: number) => Promise<T>,
): Promise<{ pageCount: number; results: T[] }> {
  try {
    return await withPdf(bytes, async (pdf) => {
      const { pageCount } = pdf;
      if (pageCount < 1) throw new FileRejected('damaged');
      const results: T[] = [];
      for (let index = 0; index < Math.min(pageCount, TICKET_PAGES.max); index += 1) {
        const drawn = withPage(pdf, index, (page) => draw(pdf, page));
        results.push(await finish(drawn, index + 1));
        progress.add(1);
      }
      return { pageCount, results };
    });
  } catch (error) {
    if (error instanceof Error && error.name === 'RuntimeError') {
      // After a crash PDFium's memory can't be trusted. The next file gets a new process.
      console.error(error.message);
      process.exit(1);
    }
    // Errors of the machine, such as a full disk, have a code.
    if (error instanceof FileRejected || (error instanceof Error && 'code' in error)) throw error;
    throw new FileRejected('damaged', { cause: error });
  }
}

/** Width in pixels, enough to distinguish two pages. */
const PREVIEW_WIDTH = 300;

export type PdfContent = {
  pages: number;
  /** SHA-256 of a small drawing of each shown page; pages that look the same have the same one. */
  drawn: string[];
};

/** Opens a PDF and draws its shown pages at a small size. Rejects with `FileRejected`. */
export async function readPages(bytes: Uint8Array): Promise<PdfContent> {
  const { pageCount, results } = await mapPages(
    bytes,
    (pdf, page) => drawPage(pdf, page, PREVIEW_WIDTH),
    async ({ pixels, width, height }) => `${width}×${height} ${hash('sha256', pixels)}`,
  );
  return { pages: pageCount, drawn: results };
}
