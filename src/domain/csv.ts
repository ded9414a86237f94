/**
 * Signs with which a spreadsheet takes a cell for a formula, or that it skips before one: also in their full-width forms. At the start, and behind
 * a separator, where a file opened with the other separator begins a cell; there a `-` only as a sum begins.
 */
const FORMULA = /^(?=[=+\-@\t\r\n\0＝＋－＠])|([,;])(?="*(?:[=+@＝＋＠]|[-－][\w(]))/g;

/** The text as a cell that a spreadsheet shows and never computes: an apostrophe stands before what looks like a formula (decision 26). */
export const escapeFormula = (text: string): string => text.replace(FORMULA, "$1'");

/** `,` is the specification's; a spreadsheet in Italian splits at `;`. */
export type Separator = ',' | ';';

/** The byte order mark by which spreadsheets know UTF-8. */
export const CSV_BEGINNING = '\uFEFF';

/** Rows as CSV (RFC 4180 but for the separator), every cell quoted and harmless. */
export function csvOf(rows: readonly (readonly string[])[], separator: Separator): string {
  const quoted = (cell: string) => `"${escapeFormula(cell).replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(quoted).join(separator)}\r\n`).join('');
}
