import {
  PDFDocument,
  type PDFFont,
  StandardFonts,
  setTextRenderingMode,
  TextRenderingMode,
} from '@cantoo/pdf-lib';
import { tokensTexts } from '../../../../../texts/admin/tokens.ts';
import { type Mark, SHEET } from './drawing.ts';

/** PDF's own measure, 1/72 of an inch, in a millimetre. */
const POINTS = 72 / 25.4;

/**
 * The card as a page of A6: its picture, whatever is on it, and over it the same words unseen, to be searched, copied and read aloud.
 * @param picture a JPEG of the whole sheet
 */
export async function cardPdf(marks: readonly Mark[], picture: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = await PDFDocument.create();
  pdf.setTitle(tokensTexts.card.heading, { showInWindowTitleBar: true });
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
    const text = known(font, mark.says);
    const size = mark.size * POINTS;
    const x = mark.x * POINTS - font.widthOfTextAtSize(text, size) / 2;
    page.drawText(text, { x, y: (SHEET.height - mark.y) * POINTS, size, font });
  }
  return new Uint8Array(await pdf.save());
}

/** What a font that every reader has can say; the picture shows the rest. */
function known(font: PDFFont, text: string): string {
  const signs = new Set(font.getCharacterSet());
  return [...text].filter((sign) => signs.has(sign.codePointAt(0) ?? 0)).join('');
}
