import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { rate, warmUp } from '../harness/measures.ts';
import { inRounds } from '../harness/rounds.ts';
import {
  type Installation,
  prepareHome,
  type ServerUnderTest,
  startProduct,
  startSqliteBaseline,
} from '../harness/servers.ts';
import { compare, type Measure, type Suite } from '../harness/suite.ts';

/** Number of requests for a page, in sequence. */
const REQUESTS = 40;
const PAGES = { 'The dashboard': '/api/admin/dashboard', 'The sessions page': '/api/admin/sessions' };

/** The administrator's two fullest pages, with few and with many visits. */
export const rows: Suite = {
  name: 'rows',
  heading: 'The administrator’s pages',
  description:
    'So many ended visits, as many rows of the access log and of the events, spread over a year. The floor: one stored row.',
  run: async (bench) => {
    const { table, sizes, ends } = bench;
    const homes: [number, Installation][] = [];
    for (const count of sizes.rows) homes.push([count, await filled(await prepareHome(ends), count)]);
    await inRounds(bench, async (own) => {
      const floor = await startSqliteBaseline(own);
      for (const [count, home] of homes) {
        const product = await startProduct(own, home);
        for (const measure of pages(count)) await compare(table, measure, [product, floor]);
      }
    });
  },
};

const pages = (rows: number): Measure[] =>
  Object.entries(PAGES).map(([title, path]) => ({
    title: `${title}, ${rows.toLocaleString('en')} rows`,
    measure: async (to: ServerUnderTest) => {
      const { evening } = to;
      const headers: Record<string, string> = evening === null ? {} : { cookie: evening.admin };
      return rate(to, { count: REQUESTS, atOnce: 1 }, () => ({
        method: 'GET',
        path: evening === null ? '/row' : path,
        headers,
      }));
    },
  }));

/** Fills the tables with copies of one visit's rows, each with a separate key and time. */
async function filled(home: Installation, count: number): Promise<Installation> {
  const ends: (() => Promise<unknown>)[] = [];
  await warmUp(await startProduct({ push: (end) => ends.push(end) }, home), 1);
  for (const end of ends) await end();
  const db = new DatabaseSync(join(home.dataDir, 'sorpresa.db'));
  db.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -400000');
  const began = new Date().toISOString();
  for (const table of ['active_sessions', 'access_logs', 'event_logs']) copyRow(db, table, count, began);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return home;
}

/** Returns the columns that differ in each copy, as SQL; `i` is the copy's number. */
function changesOf(now: string, count: number): Record<string, string> {
  const moment = `strftime('%Y-%m-%dT%H:%M:%fZ', '${now}', '-' || cast(i * ${365 * 86_400} / ${count} as integer) || ' seconds')`;
  const key = 'lower(hex(randomblob(16)))';
  const same = (names: string[], value: string) => Object.fromEntries(names.map((name) => [name, value]));
  return {
    ...same(['id', 'attempt_id', 'cookie_hash', 'device_id'], key),
    ...same(['started_at', 'last_activity', 'disconnected_at', 'created_at'], moment),
    is_active: '0',
    disconnection_reason: "'timeout'",
  };
}

function copyRow(db: DatabaseSync, table: string, count: number, now: string): void {
  const changes = changesOf(now, count);
  const columns = db.prepare(`select name from pragma_table_info('${table}')`).all();
  const names = columns.map(({ name }) => String(name));
  const values = names.map((name) => changes[name] ?? `t."${name}"`);
  db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
    insert into ${table} (${names.map((name) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from n, (select * from ${table} where rowid = (select max(rowid) from ${table})) t`);
}
