/**
 * Characters that begin a spreadsheet formula, or that a spreadsheet skips before one; also their full-width forms.
 * They are matched at the start, and after a separator, where a file opened with the other separator begins a cell.
 * There `-` is matched only before a word or a bracket.
 */
const FORMULA = /^(?=[=+\-@\t\r\n\0＝＋－＠])|([,;])(?="*(?:[=+@＝＋＠]|[-－][\w(]))/g;

/** Escapes a cell that a spreadsheet would evaluate: puts an apostrophe before what looks like a formula. */
export const escapeFormula = (text: string): string => text.replace(FORMULA, "$1'");

/** `,` follows the specification; Italian spreadsheets split at `;`. */
export type Separator = ',' | ';';

/** Byte order mark by which spreadsheets recognize UTF-8. */
export const CSV_BEGINNING = '\uFEFF';

/** Formats rows as CSV (RFC 4180 except for the separator), with every cell quoted and escaped. */
export function csvOf(rows: readonly (readonly string[])[], separator: Separator): string {
  const quoted = (cell: string) => `"${escapeFormula(cell).replaceAll('"', '""')}"`;
  return rows.map((row) => `${row.map(quoted).join(separator)}\r\n`).join('');
}
