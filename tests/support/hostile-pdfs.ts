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
  let start = parts[0]?.length ?? 0;
  for (const [i, object] of objects.entries()) {
    offsets.push(start);
    const part = [Buffer.from(`${i + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')];
    parts.push(...part);
    start += part.reduce((sum, { length }) => sum + length, 0);
  }
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

const stream = (dict: string, data: Buffer) =>
  Buffer.concat([
    Buffer.from(`<< ${dict} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
const packed = (bytes: number, dict = '') =>
  stream(`${dict} /Filter /FlateDecode`, deflateSync(Buffer.alloc(bytes, 0x20)));

/** With parts, needed for opening it, that unfold to so many bytes each. */
export const unfoldingPdf = (bytes: number, type = '/ObjStm', parts = 1) =>
  pdf([CATALOG, PAGES, PAGE, ...Array<Buffer>(parts).fill(packed(bytes, `/Type ${type} /N 1 /First 4`))]);

const drawn = (rest: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${rest} >>`;

/** Whose page is drawn by parts that unfold to so many bytes each. */
export function drawnPdf(bytes: number, parts: number): Buffer {
  const names = Array.from({ length: parts }, (_, i) => `${i + 4} 0 R`).join(' ');
  return pdf([CATALOG, PAGES, drawn(`/Contents [${names}]`), ...Array<Buffer>(parts).fill(packed(bytes))]);
}

/** Whose page draws a form that draws another three times, and so on. */
export function nestedPdf(depth: number): Buffer {
  const form = (i: number) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F ${i + 6} 0 R >> >>`,
      Buffer.from('/F Do /F Do /F Do'),
    );
  const page = drawn('/Resources << /XObject << /F 5 0 R >> >> /Contents 4 0 R');
  const forms = Array.from({ length: depth }, (_, i) => form(i));
  return pdf([CATALOG, PAGES, page, stream('', Buffer.from('/F Do')), ...forms]);
}

/** Three words in a font of this name that isn't embedded; `dict` is the rest of its dictionary. */
export const unembeddedPdf = (name: string, dict = '/Subtype /TrueType') =>
  pdf([
    CATALOG,
    PAGES,
    drawn('/Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R'),
    stream('', Buffer.from('BT /F 24 Tf 10 100 Td (Volo AZ 610) Tj ET')),
    `<< /Type /Font /BaseFont /${name} /Encoding /WinAnsiEncoding ${dict} >>`,
  ]);

/** Japanese words, whose letters every reader is to have by itself. */
export const japanesePdf = () =>
  pdf([
    CATALOG,
    PAGES,
    drawn('/Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R'),
    stream('', Buffer.from('BT /F 24 Tf 10 100 Td <65E5672C8A9E> Tj ET')),
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R /DW 1000 >>',
    '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >>',
  ]);

/** A page that is one picture, as scanners make it; below it a line. @param filter of the picture, such as `JPXDecode` */
export const scannedPdf = (picture: Buffer, filter: string) =>
  pdf([
    CATALOG,
    PAGES,
    drawn('/Resources << /XObject << /I 5 0 R >> >> /Contents 4 0 R'),
    stream('', Buffer.from('q 200 0 0 150 0 50 cm /I Do Q 10 10 m 190 10 l S')),
    stream(
      `/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /${filter}`,
      picture,
    ),
  ]);

/** Written in a font that tells a width for two thousand million letters. */
export function writingPdf(): Buffer {
  const letters =
    '/Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> ' +
    '/FontDescriptor 7 0 R /W [0 2000000000 5]';
  return pdf([
    CATALOG,
    PAGES,
    drawn('/Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R'),
    stream('', Buffer.from('BT /F 12 Tf (abc) Tj ET')),
    '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    `<< /Type /Font /BaseFont /X ${letters} >>`,
    '<< /Type /FontDescriptor /FontName /X /Flags 4 >>',
  ]);
}

/** Locked with a password that nobody tells. */
export const lockedPdf = () => {
  const hex = (byte: string) => `<${byte.repeat(32)}>`;
  const lock = `<< /Filter /Standard /V 1 /R 2 /P -4 /O ${hex('a1')} /U ${hex('b2')} >>`;
  return pdf([CATALOG, PAGES, PAGE, lock], `/Encrypt 4 0 R /ID [${hex('c3')} ${hex('c3')}]`);
};

/** Whose pages are their own parents, or each other's, or as deep as a stack. */
export const endlessPdf = () => pdf([CATALOG, '<< /Type /Pages /Kids [2 0 R] /Count 1 >>', PAGE]);
export const circularPdf = () =>
  pdf([
    CATALOG,
    '<< /Type /Pages /Kids [4 0 R] /Count 1 >>',
    PAGE,
    '<< /Type /Pages /Kids [5 0 R] /Parent 2 0 R /Count 1 >>',
    '<< /Type /Pages /Kids [4 0 R] /Parent 4 0 R /Count 1 >>',
  ]);
export const deepPdf = (depth: number) => pdf([CATALOG, PAGES, PAGE, '['.repeat(depth) + ']'.repeat(depth)]);
