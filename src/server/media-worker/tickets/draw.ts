import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TICKET_PAGES } from '../../../domain/media.ts';
import type { DrawnPages } from '../door.ts';
import { sharp } from '../pictures/library.ts';
import type { Progress } from '../progress.ts';
import { findingIn } from './findings.ts';
import { eachPage, openTickets } from './open.ts';
import { type Drawing, drawPage, withPage } from './pdfium.ts';

/** High quality: machines read the codes on tickets, and the letters are small. */
const WEBP = { quality: 90, smartSubsample: true } as const;

/**
 * Draws the pages of a PDF into an existing folder, as `page-1`, `page-1-small`, `page-2`, … Returns the finding of each page. Rejects
 * with `FileRejected`, or with an error of the machine.
 */
export async function drawPages(
  { path, folder }: { path: string; folder: string },
  progress: Progress,
): Promise<DrawnPages> {
  const bytes = await readFile(path);
  return openTickets(bytes, (pdf) =>
    eachPage(pdf, progress, async (index) => {
      const { drawing, finding } = withPage(pdf, index, (page) => {
        const drawing = drawPage(pdf, page, TICKET_PAGES.width);
        return { drawing, finding: pdf.hasOnlyPlaceholders ? 'image' : findingIn(page, drawing) };
      });
      await write(drawing, TICKET_PAGES.width, join(folder, `page-${index + 1}`));
      await write(drawing, TICKET_PAGES.smallWidth, join(folder, `page-${index + 1}-small`));
      return finding;
    }),
  );
}

async function write({ pixels, width, height }: Drawing, maxWidth: number, path: string): Promise<void> {
  await sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .resize({ width: maxWidth, withoutEnlargement: true })
    .webp(WEBP)
    .toFile(path);
}
