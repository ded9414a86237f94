import { buffer, text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { csvName, logsCsv } from '../../src/server/features/logs/csv.service.ts';
import { eventRows, insertEvents, parseCsv } from '../support/csv.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';

const HEADER = ['Data/Ora', 'Tipo Evento', 'Token', 'Device ID', 'Successo', 'Errore'];
const MANY = 50_000;
/** More pages than are read before anybody asks for them. */
const SOME = 10_000;

test('the name has the day on Italian calendars', () => {
  expect(csvName(new Date('2027-07-10T21:59:59Z'))).toBe('event_logs_2027-07-10.csv');
  expect(csvName(new Date('2027-07-10T22:00:00Z'))).toBe('event_logs_2027-07-11.csv');
});

describe('the CSV of the events', () => {
  let server: TestServer;
  let queries: number;
  beforeEach(async () => {
    server = await openTestServer(sqliteDatabase);
    queries = 0;
    const count = (node: never) => {
      queries += 1;
      return node;
    };
    const db = server.deps.db.withPlugin({
      transformQuery: ({ node }) => count(node as never),
      transformResult: async ({ result }) => result,
    });
    server.deps = { ...server.deps, db };
  });
  afterEach(() => server.close());

  const insert = (rows: ReturnType<typeof eventRows>) => insertEvents(server.deps, rows);
  const csv = () => logsCsv(server.deps, server.actor);
  /** The BOM included. */
  const whole = async () => (await buffer(await csv())).toString('utf8');

  test('of nothing is a header', async () => {
    expect(await whole()).toBe(`\uFEFF${HEADER.map((name) => `"${name}"`).join(',')}\r\n`);
  });

  test('has the spec’s columns, every cell quoted, and what is missing is N/A', async () => {
    const [first, second] = eventRows(2, 1_000);
    if (!first || !second) throw new Error('two rows');
    const odd = { event_type: 'qualcosa', token_value: 'ROM-"È"', device_id: 'a,b\r\nc', error_message: '' };
    await insert([first, { ...second, ...odd }]);
    expect(await whole()).toBe(
      [
        '\uFEFF"Data/Ora","Tipo Evento","Token","Device ID","Successo","Errore"',
        '"01/11/2026, 01:00:01","qualcosa","ROM-""È""","a,b\r\nc","Sì",""',
        '"01/11/2026, 01:00:00","Accesso negato","N/A","N/A","No","Codice scaduto"',
        '',
      ].join('\r\n'),
    );
  });

  test('no cell is a formula', async () => {
    const [row] = eventRows(1, 1_000);
    if (!row) throw new Error('one row');
    const formula = '=HYPERLINK("http://example.org";"x")';
    await insert([
      { ...row, event_type: '+1', token_value: formula, device_id: '@SUM(1)', error_message: '\t-1' },
    ]);
    const [, cells] = parseCsv(await whole());
    expect(cells?.slice(1)).toEqual(["'+1", `'${formula}`, "'@SUM(1)", 'No', "'\t-1"]);
  });

  test('50,000 events are all there in order, also those of one moment', async () => {
    const rows = eventRows(MANY, 0).map((row, n) => ({
      ...row,
      token_value: `ROM-${n}`,
      created_at: new Date(Date.parse(row.created_at) + Math.floor(n / 1_300)).toISOString(),
    }));
    await insert(rows);
    const [header, ...told] = parseCsv(await whole());
    expect(header).toEqual(HEADER);
    expect(told.map(([, , token]) => token)).toEqual(rows.map(({ token_value }) => token_value).toReversed());
    expect(queries).toBe(MANY / 100 + 1);
  });

  test('a slow reader has a few pages read, holds no transaction, and misses nothing', async () => {
    await insert(eventRows(SOME, 1_000));
    const reading = await csv();
    const first = String((await reading.iterator({ destroyOnReturn: false }).next()).value);
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    const read = queries;
    expect(read).toBeLessThan(20);
    const [late] = eventRows(1, 0);
    if (!late) throw new Error('one row');
    await insert([{ ...late, id: 'f'.repeat(24), created_at: '2027-01-01T00:00:00.000Z' }]);
    await server.deps.db
      .deleteFrom('event_logs')
      .where('created_at', '<', '2026-11-01T00:00:10.000Z')
      .execute();
    const told = parseCsv(first + (await text(reading)));
    expect(told).toHaveLength(1 + SOME - 10);
  });

  test('a reader who leaves ends it', async () => {
    await insert(eventRows(SOME, 1_000));
    const reading = await csv();
    await reading.iterator().next();
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    reading.destroy();
    await nextTurn();
    const read = queries;
    for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    expect(queries).toBe(read);
  });

  test('a database that goes away breaks the CSV off, and fails at once where nothing was read', async () => {
    await insert(eventRows(5_000, 1_000));
    const reading = await csv();
    await server.database.close();
    await expect(text(reading)).rejects.toThrow();
    await expect(csv()).rejects.toThrow();
  });
});
