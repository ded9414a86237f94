const NUMBER_OF_TABLE = /^startxref\s+(\d+)/;
/** The table itself, or what holds it packed: no other object. */
const TABLE = /^\s*(xref\b|\d+\s+\d+\s+obj\b((?!stream).)*\/XRef\b)/s;
const LONGEST_HEAD = 1_024;
const OBJECT = /\b\d+\s+\d+\s+obj\b/;
/** Made to be shown while it arrives: the first of its two tables comes first, with an end of its own, and it says how long it is. */
const LINEAR = /\/Linearized\b[^>]*\/L\s+(\d+)/;
/** Words before its name (`check.ts`), and then its first object, lie within so many bytes. */
const HEAD = 2_048;

/**
 * Does a PDF go on to its end? A table of all its objects comes last, and where that is told (`startxref`). A mark closes it (`%%EOF`), but who has
 * all the rest lacks nothing. What was changed later is added behind, with another such end; and anything else may follow.
 */
export function isCompletePdf(pdf: Buffer): boolean {
  const place = pdf.lastIndexOf('startxref');
  const mark = pdf.lastIndexOf('%%EOF');
  const end = Math.max(place, mark);
  if (end < 0 || OBJECT.test(pdf.toString('latin1', end))) return false;
  if (place >= 0 && isPlaceOfTable(pdf, place)) return true;
  // Many are told a wrong place, and every reader looks for the objects itself then.
  return end === mark && !isLongerLinear(pdf);
}

function isPlaceOfTable(pdf: Buffer, place: number): boolean {
  const told = NUMBER_OF_TABLE.exec(pdf.toString('latin1', place, place + 40))?.[1];
  if (told === undefined) return false;
  const before = Math.max(0, pdf.subarray(0, HEAD).indexOf('%PDF-'));
  return [0, before].some((start) => {
    const at = start + Number(told);
    return at < place && TABLE.test(pdf.toString('latin1', at, at + LONGEST_HEAD));
  });
}

function isLongerLinear(pdf: Buffer): boolean {
  return Number(LINEAR.exec(pdf.toString('latin1', 0, HEAD))?.[1] ?? 0) > pdf.length;
}
