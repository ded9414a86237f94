import { buffer, text } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { eventSchema, type FILTERED_EVENTS } from '../../src/contract/admin/logs.ts';
import { DAY_MS } from '../../src/domain/limits.ts';
import { csvName, listLogs, logsCsv } from '../../src/server/features/logs/logs.ts';
import { forgetFailedEntries, startRetention } from '../../src/server/features/logs/refused-tries.ts';
import { listAnswers } from '../../src/server/features/questions/questions.ts';
import { giveAnswers } from '../../src/server/features/visit/visit.ts';
import { eventRows, insertEvents, parseCsv } from '../support/csv.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_QUESTIONS } from '../support/evenings.ts';
import { call } from '../support/http.ts';
import { accessRow } from '../support/rows.ts';
import { useServer, useSignedUp } from '../support/suites.ts';
import { configure, enterOrThrow, makeCode, stepIndex, visitorOf, walkTo } from '../support/visits.ts';

const HEADER = ['Data/Ora', 'Tipo Evento', 'Token', 'Device ID', 'Successo', 'Errore'];
/** Number of events that takes more pages than are read ahead. */
const SOME = 5_000;
const ROW = eventRows(1, 1_000)[0] ?? expect.unreachable();

describe('events in the database', () => {
  const server = useServer(sqliteDatabase, { empty: true });
  const list = (event_type?: (typeof FILTERED_EVENTS)[number]) => listLogs(server.ctx, { event_type });
  const ago = (ms: number) => new Date(server.clock.now().getTime() - ms).toISOString();

  test('lists the latest hundred, newest first, and counts all, of one kind on request', async () => {
    expect(await list()).toEqual({ eventi: [], totale: 0, solo_contati: 0 });
    const rows = eventRows(104, 1_000);
    await insertEvents(server.deps, rows);
    const { eventi, totale } = await list();
    expect(totale).toBe(104);
    const latest = rows.toReversed().slice(0, 100);
    expect(eventi.map(({ id }) => id)).toEqual(latest.map(({ id }) => id));
    expect((await list('access_denied')).totale).toBe(35);
  });

  test('lists an unknown type unchanged, with empty metadata if they are no object', async () => {
    await insertEvents(server.deps, [{ ...ROW, event_type: 'qualcosa_di_nuovo' }]);
    for (const metadata of ['{', '[1]']) {
      await server.deps.db.updateTable('event_logs').set({ metadata }).execute();
      const { eventi } = await list();
      expect(eventi).toMatchObject([{ event_type: 'qualcosa_di_nuovo', metadata: {} }]);
      expect(eventSchema.safeParse(eventi[0]).success).toBe(true);
    }
  });

  test('lists the answers of both trips, newest first, with the questions as asked', async () => {
    await configure(server);
    const { token } = await makeCode(server);
    const { secret } = await enterOrThrow(server, token);
    for (const viaggio of [1, 2] as const) {
      const visitor = await visitorOf(server, secret);
      await walkTo(server, secret, stepIndex(visitor, 'questions', viaggio));
      server.clock.advance(1_000);
      await giveAnswers(
        { ...server.deps, visitor },
        { viaggio, risposta_1: true, risposta_2: viaggio === 1 },
      );
    }
    // Questions for later visits don't change these answers.
    await configure(server, {}, { domanda_1: 'oggi-uno?', domanda_1_viaggio_2: null });
    const { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2 } = FULL_QUESTIONS;
    const second = { domanda_1: domanda_1_viaggio_2, domanda_2: domanda_2_viaggio_2, viaggio: 2 };
    const answer = { token_value: token, risposta_1: true };
    expect(await listAnswers(server.ctx)).toMatchObject([
      { ...answer, ...second, risposta_2: false, created_at: '2027-02-14T19:00:02.000Z' },
      { ...answer, domanda_1, domanda_2, viaggio: 1, risposta_2: true },
    ]);
  });

  describe('CSV of the events', () => {
    let queries: number;
    let isAway: boolean;
    beforeEach(() => {
      [queries, isAway] = [0, false];
      const count = (node: never) => {
        if (isAway) throw new Error('the database is away');
        queries += 1;
        return node;
      };
      const db = server.deps.db.withPlugin({
        transformQuery: ({ node }) => count(node as never),
        transformResult: async ({ result }) => result,
      });
      server.ctx = { ...server.ctx, db };
      server.deps = server.ctx;
    });
    const csv = () => logsCsv(server.ctx);
    /** Returns the complete text, including the BOM. */
    const whole = async () => (await buffer(await csv())).toString('utf8');
    const turns = async () => {
      for (let turn = 0; turn < 200; turn += 1) await nextTurn();
    };

    test('has the specified columns, every cell quoted and none a formula, and N/A for missing values', async () => {
      const header = `\uFEFF${HEADER.map((name) => `"${name}"`).join(',')}\r\n`;
      expect(await whole()).toBe(header);
      const odd = {
        event_type: 'qualcosa',
        token_value: 'ROM-"È"',
        device_id: 'a,b\r\nc',
        error_message: '',
      };
      const formula = { event_type: '+1', token_value: '=A1', device_id: '@SUM(1)', error_message: '\t-1' };
      const [first, second, third] = eventRows(3, 1_000) as [typeof ROW, typeof ROW, typeof ROW];
      await insertEvents(server.deps, [
        first,
        { ...second, ...odd },
        { ...third, ...formula, success: false },
      ]);
      expect(await whole()).toBe(
        `${header}${[
          `"01/11/2026, 01:00:02","'+1","'=A1","'@SUM(1)","No","'\t-1"`,
          '"01/11/2026, 01:00:01","qualcosa","ROM-""È""","a,b\r\nc","Sì",""',
          '"01/11/2026, 01:00:00","Accesso negato","N/A","N/A","No","Codice scaduto"',
          '',
        ].join('\r\n')}`,
      );
    });

    test('is named after the Italian date', () => {
      expect(csvName(new Date('2027-07-10T21:59:59Z'))).toBe('event_logs_2027-07-10.csv');
      expect(csvName(new Date('2027-07-10T22:00:00Z'))).toBe('event_logs_2027-07-11.csv');
    });

    test('has 8,000 events in order, also those of the same time, a hundred a page', async () => {
      const rows = eventRows(8_000, 0).map((row, n) => ({
        ...row,
        token_value: `ROM-${n}`,
        created_at: new Date(Date.parse(row.created_at) + Math.floor(n / 1_300)).toISOString(),
      }));
      await insertEvents(server.deps, rows);
      const [header, ...dataRows] = parseCsv(await whole());
      expect(header).toEqual(HEADER);
      const tokens = rows.map(({ token_value }) => token_value);
      expect(dataRows.map(([, , token]) => token)).toEqual(tokens.toReversed());
      expect(queries).toBe(rows.length / 100 + 1);
      // The check of the invariants would read all of them.
      await server.deps.db.deleteFrom('event_logs').execute();
    });

    test('reads a few pages ahead for a slow reader, holds no transaction, and misses nothing', async () => {
      await insertEvents(server.deps, eventRows(SOME, 1_000));
      const reading = await csv();
      const first = String((await reading.iterator({ destroyOnReturn: false }).next()).value);
      await turns();
      expect(queries).toBeLessThan(20);
      const late = { ...ROW, id: 'f'.repeat(24), created_at: '2027-01-01T00:00:00.000Z' };
      await insertEvents(server.deps, [late]);
      const old = server.deps.db.deleteFrom('event_logs');
      await old.where('created_at', '<', '2026-11-01T00:00:10.000Z').execute();
      expect(parseCsv(first + (await text(reading)))).toHaveLength(1 + SOME - 10);
    });

    test('ends when the reader disconnects, and breaks off if the database fails', async () => {
      await insertEvents(server.deps, eventRows(SOME, 1_000));
      const leaving = await csv();
      await leaving.iterator().next();
      await turns();
      leaving.destroy();
      await nextTurn();
      const read = queries;
      await turns();
      expect(queries).toBe(read);
      const staying = await csv();
      isAway = true;
      await expect(text(staying)).rejects.toThrow('away');
      await expect(csv()).rejects.toThrow('away');
      isAway = false;
    });
  });

  describe('retention of attempts', () => {
    const logged = (event_type: string, created_at: string, id = event_type) => ({
      ...ROW,
      id,
      event_type,
      created_at,
    });
    const access = (success: boolean, ms: number) => accessRow({ success, created_at: ago(ms) });
    const accesses = async () => {
      const rows = await server.deps.db.selectFrom('access_logs').select('created_at').execute();
      return rows.map(({ created_at }) => created_at).toSorted();
    };

    test('deletes failed ones after 90 days, like events of the administrator, and nothing else', async () => {
      const { db } = server.deps;
      const permanent = ['access_granted', 'session_ended', 'token_created', 'qualcosa'];
      await insertEvents(server.deps, [
        ...permanent.map((type) => logged(type, ago(900 * DAY_MS))),
        logged('admin_signed_in', ago(91 * DAY_MS)),
        logged('access_denied', ago(90 * DAY_MS), 'giovane'),
        ...Array.from({ length: 600 }, (_, n) =>
          logged('access_denied', ago(90 * DAY_MS + 1), `vecchio ${n}`),
        ),
      ]);
      const attempts = [
        access(true, 900 * DAY_MS),
        access(false, 90 * DAY_MS + 1),
        access(false, 90 * DAY_MS),
      ];
      await db.insertInto('access_logs').values(attempts).execute();
      server.messages.length = 0;
      expect(await forgetFailedEntries(server.deps)).toBe(602);
      expect(server.messages).toEqual([{ type: 'changed', topics: ['logs'] }]);
      const events = await db.selectFrom('event_logs').select('id').execute();
      expect(events.map(({ id }) => id).toSorted()).toEqual([...permanent, 'giovane'].toSorted());
      expect(await accesses()).toEqual([ago(900 * DAY_MS), ago(90 * DAY_MS)]);
      await db.deleteFrom('access_logs').execute();
    });

    test('deletes them after the configured number of days, with the counts of those days', async () => {
      await configure(server, { tries_kept_days: 7 });
      const { db } = server.deps;
      const attempts = [8, 7, 6].map((days) => access(false, days * DAY_MS + 1));
      await db.insertInto('access_logs').values(attempts).execute();
      const days = ['2027-02-06', '2027-02-07'].map((giorno) => ({ giorno, tentativi: 3 }));
      await db.insertInto('refused_tries_by_day').values(days).execute();
      expect(await forgetFailedEntries(server.deps)).toBe(2);
      expect(await db.selectFrom('refused_tries_by_day').selectAll().execute()).toEqual(days.slice(1));
      expect(await accesses()).toEqual([ago(6 * DAY_MS + 1)]);
    });

    test('deletes them at the start, and counts unlogged ones then and at the stop', async () => {
      await server.deps.db
        .insertInto('access_logs')
        .values(access(false, 91 * DAY_MS))
        .execute();
      const counted = async () => (await list()).solo_contati;
      const unlogged = [3, 2];
      const attempts = { ...server.deps.rateLimiter, takeUnlogged: () => unlogged.shift() ?? 0 };
      const stop = startRetention({ ...server.deps, rateLimiter: attempts });
      await vi.waitFor(async () => expect([await accesses(), await counted()]).toEqual([[], 3]));
      await stop();
      expect(await counted()).toBe(5);
    });
  });
});

describe('CSV over HTTP', () => {
  const { server, to } = useSignedUp();
  beforeAll(() => insertEvents(server.deps, eventRows(SOME, 1_000)));

  test('is a download stored in no cache; a HEAD has the same headers', async () => {
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/Rome' }).format(new Date());
    const expected = {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="event_logs_${day}.csv"`,
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    };
    const url = `${server.url}/api/admin/logs.csv`;
    const { cookie } = to;
    const response = await fetch(url, { headers: { cookie } });
    expect(Object.fromEntries(response.headers)).toMatchObject(expected);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    // The sign-up has recorded an event, too.
    expect(parseCsv(bytes.toString('utf8'))).toHaveLength(1 + 1 + SOME);
    const forExcel = await fetch(`${url}?per=excel`, { headers: { cookie } });
    expect(forExcel.headers.get('content-disposition')).toContain(`"event_logs_${day}_excel.csv"`);
    const other = Buffer.from(await forExcel.arrayBuffer()).toString('utf8');
    expect(other.replaceAll('";"', '","')).toBe(bytes.toString('utf8'));
    expect(other).toMatch(/^\uFEFF"Data\/Ora";"Tipo Evento";/);
    const head = await call(server.url, 'HEAD', '/admin/logs.csv', undefined, { cookie });
    expect([head.status, head.text]).toEqual([200, '']);
    expect(Object.fromEntries(head.headers)).toMatchObject(expected);
  });
});
