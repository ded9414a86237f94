import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PageFinding, TICKET_PAGES } from '../../../domain/media.ts';
import type { DrawnPages } from '../door.ts';
import { sharp } from '../pictures/pixels.ts';
import { type Drawing, drawPage, mapPages, memory, pdfium, withMemory } from './pdfium.ts';

/** High quality: machines read the codes on tickets, and the letters are small. */
const WEBP = { quality: 90, smartSubsample: true } as const;

/**
 * Draws the pages of a PDF into an existing folder, as `page-1`, `page-1-small`, `page-2`, … Returns the finding of each page. Rejects
 * with `FileRejected`, or with an error of the machine.
 */
export async function drawPages({ path, folder }: { path: string; folder: string }): Promise<DrawnPages> {
  const { results } = await mapPages(
    await readFile(path),
    (pdf, page) => {
      const drawing = drawPage(pdf, page, TICKET_PAGES.width);
      return { drawing, finding: pdf.hasOnlyPlaceholders ? 'image' : findingIn(page, drawing) } as const;
    },
    async ({ drawing, finding }, pageNumber) => {
      await write(drawing, TICKET_PAGES.width, join(folder, `page-${pageNumber}`));
      await write(drawing, TICKET_PAGES.smallWidth, join(folder, `page-${pageNumber}-small`));
      return finding;
    },
  );
  return results;
}

async function write({ pixels, width, height }: Drawing, maxWidth: number, path: string): Promise<void> {
  await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ width: maxWidth, withoutEnlargement: true })
    .webp(WEBP)
    .toFile(path);
}

/** Kinds of objects on a page, by PDFium's numbers. */
const OBJECT = { text: 1, image: 3, form: 5 } as const;
/** Render modes of text that is invisible or only clips. */
const HIDDEN_MODES = [3, 7];
const MAX_OBJECTS = 20_000;
const MAX_DEPTH = 12;
/** Smallest value of a colour that counts as white. */
const WHITE = 250;

/**
 * The standard fourteen fonts, which PDFium contains, and other names with the same metrics. A subset's name has a prefix of six letters.
 */
const STANDARD_FONT =
  /^(?:[A-Z]{6}\+)?(?:Courier|Helvetica|Times|Symbol|ZapfDingbats|Arial|CourierNew|CourierStd|TimesNewRoman)(?:PS)?(?:MT)?(?:[-,](?:Roman|Regular|Bold|Italic|Oblique|BoldItalic|BoldOblique))?(?:MT)?$/;

type Found = { objects: number; fonts: Map<number, Set<string>>; undecoded: boolean };

/** Returns the most serious reason why a drawn page may not look as its author meant; null if there is none. */
function findingIn(page: number, drawing: Drawing): PageFinding | null {
  const text = pdfium.FPDFText_LoadPage(page);
  try {
    const found: Found = { objects: 0, fonts: new Map(), undecoded: false };
    const count = pdfium.FPDFPage_CountObjects(page);
    for (let index = 0; index < count; index += 1)
      inspect(pdfium.FPDFPage_GetObject(page, index), text, found, 0);
    if (found.objects > 0 && drawing.pixels.every((value) => value >= WHITE)) return 'blank';
    if (found.undecoded) return 'image';
    return [...found.fonts].every(([font, letters]) => isDrawnRight(font, letters)) ? null : 'font';
  } finally {
    pdfium.FPDFText_ClosePage(text);
  }
}

function inspect(object: number, text: number, found: Found, depth: number): void {
  if (object === 0 || depth > MAX_DEPTH || found.objects >= MAX_OBJECTS) return;
  const type = pdfium.FPDFPageObj_GetType(object);
  if (type === OBJECT.text && HIDDEN_MODES.includes(pdfium.FPDFTextObj_GetTextRenderMode(object))) return;
  found.objects += 1;
  if (type === OBJECT.form) {
    const count = pdfium.FPDFFormObj_CountObjects(object);
    for (let index = 0; index < count; index += 1)
      inspect(pdfium.FPDFFormObj_GetObject(object, index), text, found, depth + 1);
  } else if (type === OBJECT.image) found.undecoded ||= !isDecoded(object);
  else if (type === OBJECT.text) inspectText(object, text, found);
}

function isDecoded(image: number): boolean {
  const bitmap = pdfium.FPDFImageObj_GetBitmap(image);
  if (bitmap === 0) return false;
  pdfium.FPDFBitmap_Destroy(bitmap);
  return true;
}

function inspectText(object: number, text: number, { fonts }: Found): void {
  const font = pdfium.FPDFTextObj_GetFont(object);
  if (font === 0 || pdfium.FPDFFont_GetIsEmbedded(font) === 1) return;
  const letters = fonts.get(font) ?? new Set<string>();
  fonts.set(font, letters);
  const words = utf16((address, size) => pdfium.FPDFTextObj_GetText(object, text, address, size));
  for (const letter of words.match(/[^\s\p{C}]/gu) ?? []) letters.add(letter);
}

/** Returns true for a standard font that has the letters; otherwise a font that isn't embedded is drawn wrong. */
function isDrawnRight(font: number, letters: ReadonlySet<string>): boolean {
  const size = pdfium.FPDFFont_GetBaseFontName(font, 0, 0);
  const name = withMemory(Math.max(1, size), (address) => {
    pdfium.FPDFFont_GetBaseFontName(font, address, size);
    return pdfium.pdfium.UTF8ToString(address, size).replaceAll(' ', '');
  });
  return STANDARD_FONT.test(name) && [...letters].every((letter) => hasGlyph(font, letter));
}

function hasGlyph(font: number, letter: string): boolean {
  const path = pdfium.FPDFFont_GetGlyphPath(font, letter.codePointAt(0) ?? 0, 12);
  return path !== 0 && pdfium.FPDFGlyphPath_CountGlyphSegments(path) > 0;
}

/** Reads a text that PDFium writes as UTF-16 with a terminator. `read(0, 0)` returns the number of bytes needed. */
function utf16(read: (address: number, size: number) => number): string {
  const size = read(0, 0);
  if (size <= 2) return '';
  return withMemory(size, (address) => {
    read(address, size);
    return Buffer.from(memory().subarray(address, address + size - 2)).toString('utf16le');
  });
}
