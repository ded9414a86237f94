import { expect, test } from 'vitest';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer } from '../support/deps.ts';
import { flood, refusedRows, tableBytes } from '../support/flood.ts';

const MB = 1024 ** 2;
const DAY_SECONDS = 24 * 3_600;

test.each(eachDatabase)(
  'one wrong code a second from 500 networks, for a day, on %s',
  async (_name, open) => {
    const server = await openTestServer(open);
    expect(await flood(server, DAY_SECONDS)).toBe(DAY_SECONDS);
    expect(await refusedRows(server.deps.db)).toBeLessThanOrEqual(20_000);
    // 1,440 visits of the guests are in there, too: on SQLite the whole file is measured.
    expect(await tableBytes(server.database)).toBeLessThan(20 * MB);
    const days = await server.deps.db.selectFrom('refused_tries_by_day').selectAll().execute();
    const kept = await server.deps.db
      .selectFrom('access_logs')
      .select('id')
      .where('success', '=', false)
      .execute();
    expect(days.reduce((sum, { tentativi }) => sum + tentativi, kept.length)).toBe(DAY_SECONDS);
    await server.close();
  },
);
