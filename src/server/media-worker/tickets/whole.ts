const NUMBER_OF_TABLE = /^startxref\s+(\d+)/;
/** The cross-reference table, or the stream that contains it; no other object. */
const TABLE = /^\s*(xref\b|\d+\s+\d+\s+obj\b((?!stream).)*\/XRef\b)/s;
const LONGEST_HEAD = 1_024;
const OBJECT = /\b\d+\s+\d+\s+obj\b/;
/** A linearized PDF, shown while it loads: the first of its two tables comes first, with a separate end mark, and it states the length. */
const LINEAR = /\/Linearized\b[^>]*\/L\s+(\d+)/;
/** Bytes that contain any text before the signature (`check.ts`) and the first object. */
const HEAD = 2_048;

/**
 * Returns true if a PDF has its end: a table of all objects, its offset (`startxref`) and a mark (`%%EOF`), which may be missing. Later
 * changes are appended with another such end, and any data may follow.
 */
export function isCompletePdf(pdf: Buffer): boolean {
  const tablePosition = pdf.lastIndexOf('startxref');
  const mark = pdf.lastIndexOf('%%EOF');
  const end = Math.max(tablePosition, mark);
  if (end < 0 || OBJECT.test(pdf.toString('latin1', end))) return false;
  if (tablePosition >= 0 && isPlaceOfTable(pdf, tablePosition)) return true;
  // Many PDFs state a wrong offset; every reader then searches for the objects.
  return end === mark && !isLongerLinear(pdf);
}

function isPlaceOfTable(pdf: Buffer, tablePosition: number): boolean {
  const offset = NUMBER_OF_TABLE.exec(pdf.toString('latin1', tablePosition, tablePosition + 40))?.[1];
  if (offset === undefined) return false;
  const before = Math.max(0, pdf.subarray(0, HEAD).indexOf('%PDF-'));
  return [0, before].some((start) => {
    const at = start + Number(offset);
    return at < tablePosition && TABLE.test(pdf.toString('latin1', at, at + LONGEST_HEAD));
  });
}

function isLongerLinear(pdf: Buffer): boolean {
  return Number(LINEAR.exec(pdf.toString('latin1', 0, HEAD))?.[1] ?? 0) > pdf.length;
}
