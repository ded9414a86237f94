import { encodeQR } from 'qr';

/** Returns a QR code as one path of 1 × 1 squares, without the empty margin. It stays readable with an eighth of it covered. */
export function qrPath(value: string): { d: string; side: number } {
  const bordered = encodeQR(value, 'raw', { ecc: 'medium', border: 1 });
  const rows = bordered.slice(1, -1).map((row) => row.slice(1, -1));
  const d = rows
    .map((row, y) =>
      runsOf(row)
        .map(([from, to]) => `M${from} ${y}h${to - from}v1H${from}z`)
        .join(''),
    )
    .join('');
  return { d, side: rows.length };
}

/** Returns runs of dark squares: index of the first, and index after the last. */
function runsOf(row: readonly boolean[]): [from: number, to: number][] {
  const starts = row.flatMap((dark, x) => (dark && row[x - 1] !== true ? [x] : []));
  return starts.map((from) => {
    const light = row.indexOf(false, from);
    return [from, light === -1 ? row.length : light];
  });
}
