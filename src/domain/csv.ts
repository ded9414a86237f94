/** Signs with which a spreadsheet takes a cell for a formula, or that it skips before one: also in their full-width forms. */
const FORMULA = /^[=+\-@\t\r\n\0＝＋－＠]/;

/** The text as a cell that a spreadsheet shows and never computes: an apostrophe stands before what looks like a formula (decision 26). */
export function harmlessCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}
