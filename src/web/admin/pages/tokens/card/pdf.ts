import {
  PDFDocument,
  type PDFFont,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from '@cantoo/pdf-lib';
import { type Mark, MIDDLE, SHEET } from './drawing.ts';

/** Points (1/72 inch) per millimetre. */
const POINTS = 72 / 25.4;

/**
 * Creates an A6 page with the card's picture, and above it the same text, invisible, for search, copying and screen readers.
 * @param picture a JPEG of the whole sheet
 */
export async function cardPdf(
  { title, marks }: { title: string; marks: readonly Mark[] },
  picture: Uint8Array,
): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(title, { showInWindowTitleBar: true });
  pdf.setLanguage('it');
  pdf.setProducer('Sorpresa');
  pdf.setCreator('Sorpresa');
  const page = pdf.addPage([SHEET.width * POINTS, SHEET.height * POINTS]);
  page.drawImage(await pdf.embedJpg(picture), {
    x: 0,
    y: 0,
    width: page.getWidth(),
    height: page.getHeight(),
  });
  page.pushOperators(setTextRenderingMode(TextRenderingMode.Invisible));
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (const mark of marks) {
    if (mark.kind !== 'line') continue;
    const text = supportedText(font, mark.spokenText);
    const size = mark.size * POINTS;
    const x = MIDDLE * POINTS - font.widthOfTextAtSize(text, size) / 2;
    page.drawText(text, { x, y: (SHEET.height - mark.y) * POINTS, size, font });
  }
  return new Uint8Array(await pdf.save());
}

/** Returns the characters that a standard font has; the picture shows the rest. */
function supportedText(font: PDFFont, text: string): string {
  const signs = new Set(font.getCharacterSet());
  return [...text].filter((sign) => signs.has(sign.codePointAt(0) ?? 0)).join('');
}
