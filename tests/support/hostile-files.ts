import { crc32, deflateSync } from 'node:zlib';

/** Malformed films: boxes with false sizes, counts and contents. */

/** A box around its contents; `size` sets a false length. */
export function box(type: string, contents: Buffer | Buffer[] = Buffer.alloc(0), size?: number): Buffer {
  const body = Array.isArray(contents) ? Buffer.concat(contents) : contents;
  return Buffer.concat([uint32s(size ?? body.length + 8), Buffer.from(type, 'latin1'), body]);
}

/** Returns numbers as four bytes each. */
export function uint32s(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * i);
  return bytes;
}

export const ftyp = (brand = 'isom') => box('ftyp', Buffer.from(`${brand}\0\0\0\x01${brand}mp42`, 'latin1'));

type Tables = Partial<Record<'stsd' | 'stts' | 'stsc' | 'stsz' | 'stco' | 'ctts', Buffer>>;

/** A movie of one track with these sample tables; by default one sample of sixteen bytes at byte 48. */
export function moov(tables: Tables = {}): Buffer {
  const plain: Tables = {
    stts: uint32s(0, 1, 1, 1_000),
    stsc: uint32s(0, 1, 1, 1, 1),
    stsz: uint32s(0, 0, 1, 16),
    stco: uint32s(0, 1, 48),
  };
  const stsd = Buffer.concat([uint32s(0, 1), box('avc1', Buffer.alloc(78))]);
  const all = Object.entries({ ...plain, stsd, ...tables });
  const stbl = box(
    'stbl',
    all.map(([type, body]) => box(type, body)),
  );
  const hdlr = box('hdlr', Buffer.concat([uint32s(0, 0), Buffer.from('vide'), Buffer.alloc(13)]));
  const mdhd = box('mdhd', uint32s(0, 0, 0, 1_000, 1_000, 0));
  const mdia = box('mdia', [mdhd, hdlr, box('minf', [stbl])]);
  return box('moov', [box('mvhd', Buffer.alloc(100)), box('trak', [box('tkhd', Buffer.alloc(84)), mdia])]);
}

export const mdat = () => box('mdat', Buffer.alloc(64, 1));

/** A valid film (its index last) with its last track repeated up to this count. */
export function withTracks(film: Buffer, count: number): Buffer {
  const at = film.lastIndexOf('moov') - 4;
  const trak = film.lastIndexOf('trak') - 4;
  const track = film.subarray(trak, trak + film.readUInt32BE(trak));
  const others = film.toString('latin1', at).split('trak').length - 1;
  const more = Array.from({ length: count - others }, () => track);
  return Buffer.concat([film.subarray(0, at), box('moov', [film.subarray(at + 8), ...more])]);
}

/** A film whose first chunks claim this many samples each. */
export function withChunksOf(film: Buffer, samples: number): Buffer {
  const bytes = Buffer.from(film);
  // After the type: version, number of runs, first chunk.
  bytes.writeUInt32BE(samples, bytes.indexOf('stsc', 0, 'latin1') + 16);
  return bytes;
}

/** Nested boxes of this depth. */
export function nested(type: string, depth: number): Buffer {
  const bytes = Buffer.alloc(8 * depth);
  for (let level = 0; level < depth; level += 1) {
    bytes.writeUInt32BE(bytes.length - 8 * level, 8 * level);
    bytes.write(type, 8 * level + 4, 'latin1');
  }
  return bytes;
}

/** Malformed pictures, and files named like pictures. */

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  return Buffer.concat([uint32s(data.length), body, uint32s(crc32(body))]);
}

/** A PNG that claims this size, with little data. */
export const vastPng = (width: number, height: number, kind = GREY) =>
  pngOf(width, height, kind, deflateSync(Buffer.alloc(1_000)));

function pngOf(width: number, height: number, kind: number[], data: Buffer): Buffer {
  const head = Buffer.concat([uint32s(width, height), Buffer.from(kind)]);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

/** Bits per sample, colour type, and the three packing methods. */
const GREY = [8, 0, 0, 0, 0];

/** A PNG of 16-bit colours in seven interlaced passes, which cannot be decoded partially. */
export const vastInterlacedPng = (width: number, height: number) => vastPng(width, height, [16, 6, 0, 0, 1]);

/** A small PNG with a text that decompresses to this many bytes. */
export function wordyPng(png: Buffer, bytes: number): Buffer {
  const text = Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(bytes))]);
  return Buffer.concat([png.subarray(0, 33), chunk('zTXt', text), png.subarray(33)]);
}

/** A JPEG that claims this size. */
export function vastJpeg(jpeg: Buffer, width: number, height: number): Buffer {
  const bytes = Buffer.from(jpeg);
  for (let at = 2; at < bytes.length; at += 2 + bytes.readUInt16BE(at + 2)) {
    const marker = bytes[at + 1] ?? 0;
    if (marker < 0xc0 || marker > 0xc2) continue;
    bytes.writeUInt16BE(height, at + 5);
    bytes.writeUInt16BE(width, at + 7);
    return bytes;
  }
  throw new Error('A JPEG without a frame.');
}

/** The start of a picture in an ISO file: HEIC, AVIF. */
export const isoPicture = (brand: string) =>
  Buffer.concat([
    box('ftyp', Buffer.from(`${brand}\0\0\0\0mif1${brand}`, 'latin1')),
    box('meta', Buffer.alloc(64)),
    box('mdat', Buffer.alloc(64)),
  ]);

export const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
export const HTML = '<!doctype html><html><body><script>alert(document.cookie)</script></body></html>';

/** Origin of the seven passes of an interlaced PNG, and the distance of their pixels: across, down. */
const ROUNDS = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const;

/** A complete interlaced PNG: black, 16-bit colours, seven passes. */
export function wholeInterlacedPng(width: number, height: number): Buffer {
  const size = ROUNDS.reduce((sum, [left, top, across, down]) => {
    const columns = Math.ceil((width - left) / across);
    return sum + Math.ceil((height - top) / down) * (1 + 8 * columns);
  }, 0);
  return pngOf(width, height, [16, 6, 0, 0, 1], deflateSync(Buffer.alloc(size), { level: 1 }));
}

/** Malformed PDFs. */

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>';
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>';
const PAGE = '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>';

type Part = string | Buffer;

/** A PDF of these objects, numbered from 1, with a correct cross-reference table. */
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

/** A PDF with a script that a reader would run on opening. */
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

/** A PDF with a part, required for opening it, that decompresses to this many bytes. */
export const unfoldingPdf = (bytes: number, type = '/ObjStm') =>
  pdf([CATALOG, PAGES, PAGE, packed(bytes, `/Type ${type} /N 1 /First 4`)]);

const drawn = (rest: string) => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] ${rest} >>`;

/** A PDF whose page consists of parts that decompress to this many bytes each. */
export function drawnPdf(bytes: number, parts: number): Buffer {
  const names = Array.from({ length: parts }, (_, i) => `${i + 4} 0 R`).join(' ');
  return pdf([CATALOG, PAGES, drawn(`/Contents [${names}]`), ...Array<Buffer>(parts).fill(packed(bytes))]);
}

/** A PDF whose page consists of these operators, with one resource: object 5, the first of the others. */
const shownPdf = (resource: string, operators: string, ...others: Part[]) =>
  pdf([
    CATALOG,
    PAGES,
    drawn(`/Resources << /${resource} 5 0 R >> >> /Contents 4 0 R`),
    stream('', Buffer.from(operators)),
    ...others,
  ]);

/** A PDF whose page draws a form that draws another three times, and so on. */
export function nestedPdf(depth: number): Buffer {
  const form = (i: number) =>
    stream(
      `/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F ${i + 6} 0 R >> >>`,
      Buffer.from('/F Do /F Do /F Do'),
    );
  return shownPdf('XObject << /F', '/F Do', ...Array.from({ length: depth }, (_, i) => form(i)));
}

/** A PDF with text in a font of this name that is not embedded; `dict` is the rest of its dictionary. */
export const unembeddedPdf = (name: string, dict = '/Subtype /TrueType') =>
  shownPdf(
    'Font << /F',
    'BT /F 24 Tf 10 100 Td (Volo AZ 610) Tj ET',
    `<< /Type /Font /BaseFont /${name} /Encoding /WinAnsiEncoding ${dict} >>`,
  );

/** A PDF with Japanese text in a font that every reader should have. */
export const japanesePdf = () =>
  shownPdf(
    'Font << /F',
    'BT /F 24 Tf 10 100 Td <65E5672C8A9E> Tj ET',
    '<< /Type /Font /Subtype /Type0 /BaseFont /HeiseiMin-W3 /Encoding /UniJIS-UCS2-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /HeiseiMin-W3 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 7 0 R /DW 1000 >>',
    '<< /Type /FontDescriptor /FontName /HeiseiMin-W3 /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 800 /Descent -200 /StemV 80 /CapHeight 700 >>',
  );

/**
 * A PDF page with one picture, like those of scanners, and a line below it.
 * @param filter of the picture, such as `JPXDecode`
 */
export const scannedPdf = (picture: Buffer, filter: string) =>
  shownPdf(
    'XObject << /I',
    'q 200 0 0 150 0 50 cm /I Do Q 10 10 m 190 10 l S',
    stream(
      `/Type /XObject /Subtype /Image /Width 64 /Height 64 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /${filter}`,
      picture,
    ),
  );

/** A PDF with a font that defines a width for two thousand million letters. */
export const writingPdf = () =>
  shownPdf(
    'Font << /F',
    'BT /F 12 Tf (abc) Tj ET',
    '<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding /Identity-H /DescendantFonts [6 0 R] >>',
    '<< /Type /Font /BaseFont /X /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor 7 0 R /W [0 2000000000 5] >>',
    '<< /Type /FontDescriptor /FontName /X /Flags 4 >>',
  );

/** A PDF encrypted with an unknown password. */
export const lockedPdf = () => {
  const hex = (byte: string) => `<${byte.repeat(32)}>`;
  const lock = `<< /Filter /Standard /V 1 /R 2 /P -4 /O ${hex('a1')} /U ${hex('b2')} >>`;
  return pdf([CATALOG, PAGES, PAGE, lock], `/Encrypt 4 0 R /ID [${hex('c3')} ${hex('c3')}]`);
};

/** PDFs with pages that are their own parents, each other's, or nested as deep as the stack. */
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
