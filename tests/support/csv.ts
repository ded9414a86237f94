import type { Deps } from '../../src/server/deps.ts';

/** Parses strict RFC 4180 with every cell quoted; throws on anything else. Removes a BOM. */
export function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/y;
  cell.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  let row: string[] = [];
  while (cell.lastIndex < text.length) {
    const from = cell.lastIndex;
    const [, content, end] = cell.exec(text) ?? [];
    if (content === undefined)
      throw new SyntaxError(`No quoted cell at ${from}: ${text.slice(from, from + 60)}`);
    row.push(content.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0) throw new SyntaxError('The last line has no end');
  return rows;
}

/** Returns rows of `event_logs`, oldest first, `apart` ms from each other. */
export function eventRows(count: number, apart: number) {
  const first = Date.parse('2026-11-01T00:00:00.000Z');
  return Array.from({ length: count }, (_, n) => rowOf(n, new Date(first + n * apart)));
}

/** A third of the first 3,000 rows are refusals; above the log's limit the oldest would be removed. */
function rowOf(n: number, at: Date) {
  const refused = n % 3 === 0 && n < 3_000;
  return {
    id: n.toString(16).padStart(24, '0'),
    event_type: refused ? 'access_denied' : 'session_started',
    token_id: null,
    token_value: n % 5 === 0 ? null : `ROM-${n}`,
    device_id: n % 7 === 0 ? null : `device-${n}`,
    user_agent: null,
    success: !refused,
    error_message: refused ? 'Codice scaduto' : null,
    metadata: '{}',
    created_at: at.toISOString(),
  };
}

const BATCH = 1_000;

/** Inserts rows in batches that every database accepts. */
export async function insertEvents(
  { inTransaction }: Pick<Deps, 'inTransaction'>,
  rows: ReturnType<typeof eventRows>,
): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH)
    await inTransaction((tx) =>
      tx
        .insertInto('event_logs')
        .values(rows.slice(from, from + BATCH))
        .execute(),
    );
}
