import { deflateSync } from 'node:zlib';

/** Files that look like PDFs. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';

type Part = string | Buffer;

/** A PDF of these objects, numbered from 1, with a true table of where they are. */
export function pdf(objects: Part[] = [CATALOG, PAGES, PAGE], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  const length = () => parts.reduce((sum, part) => sum + part.length, 0);
  for (const [i, object] of objects.entries()) {
    offsets.push(length());
    parts.push(
      Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]),
    );
  }
  const start = length();
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(table + end)]);
}

/** With a script that a reader would run on opening it. */
export const scriptedPdf = () =>
  pdf([
    '<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >> >>',
    PAGES,
    PAGE,
  ]);

/** With a part, needed for opening it, that unfolds to so many bytes. */
export function unfoldingPdf(bytes: number, type = '/ObjStm'): Buffer {
  const packed = deflateSync(Buffer.alloc(bytes, 0x20));
  const dict = `<< /Type ${type} /N 1 /First 4 /Filter /FlateDecode /Length ${packed.length} >>\nstream\n`;
  const stream = Buffer.concat([Buffer.from(dict), packed, Buffer.from('\nendstream')]);
  return pdf([CATALOG, PAGES, PAGE, stream]);
}

/** Locked with a password that nobody tells. */
export const lockedPdf = () => {
  const hex = (byte: string) => `<${byte.repeat(32)}>`;
  const lock = `<< /Filter /Standard /V 1 /R 2 /P -4 /O ${hex('a1')} /U ${hex('b2')} >>`;
  return pdf([CATALOG, PAGES, PAGE, lock], `/Encrypt 4 0 R /ID [${hex('c3')} ${hex('c3')}]`);
};

/** Whose pages are their own parents, or as deep as a stack. */
export const endlessPdf = () => pdf([CATALOG, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>', PAGE]);
export const deepPdf = (depth: number) => pdf([CATALOG, PAGES, PAGE, '['.repeat(depth) + ']'.repeat(depth)]);
