import * as fc from 'fast-check';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Viaggio } from '../../src/domain/content.ts';
import { isCheckViolation, isUniqueViolation } from '../../src/server/db/errors.ts';
import { isUnavailable } from '../../src/server/db/unavailable.ts';
import { eachDatabase, type TestDatabase } from '../support/databases.ts';
import { configRow, tokenRow } from '../support/rows.ts';

const NOW = '2027-03-28T00:30:00.000Z';

describe.each(eachDatabase)('rows on %s', (_name, open) => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await open();
  });
  afterEach(() => database.drop());

  it('keep booleans as booleans, whatever the column is called in the answer', async () => {
    const { db } = database;
    const row = { id: 'a', event_type: 'x', success: true, metadata: '{"a":[1,"è"]}', created_at: NOW };
    const returned = await db
      .insertInto('event_logs')
      .values(row)
      .returning(['success', 'success as riuscito'])
      .execute();
    expect(returned).toStrictEqual([{ success: true, riuscito: true }]);
    // What other versions have written and will read.
    const { rows } = await sql<{
      stored: number;
    }>`select cast(success as integer) as stored from event_logs`.execute(db);
    expect(rows).toEqual([{ stored: 1 }]);
    await db.updateTable('event_logs').set({ success: false }).where('success', '=', true).execute();
    const stored = await db.selectFrom('event_logs').selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ ...row, success: false, error_message: null });
    const joined = await db
      .selectFrom('event_logs as e')
      .innerJoin('event_logs as f', 'e.id', 'f.id')
      .select(['f.success as both', 'e.id'])
      .execute();
    expect(joined).toStrictEqual([{ both: false, id: 'a' }]);
  });

  it('keep any text as it is', async () => {
    const { db } = database;
    await db.insertInto('tokens').values(tokenRow('a')).execute();
    await fc.assert(
      // PostgreSQL has no NUL in texts, and lone surrogates are no text in UTF-8.
      fc.asyncProperty(
        fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '').toWellFormed()),
        async (nome) => {
          const rows = await db
            .updateTable('tokens')
            .set({ nome })
            .where('id', '=', 'a')
            .returning('nome')
            .execute();
          expect(rows).toEqual([{ nome }]);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('keep numbers exactly: sizes beyond 32 bits, seconds with all their digits', async () => {
    const { db } = database;
    const media = {
      id: 'm',
      extension: 'mp4',
      content_type: 'video/mp4',
      size: 5_000_000_001,
      sha256: '',
      nome: '',
      created_at: NOW,
    };
    await db.insertInto('media').values(media).execute();
    expect(await db.selectFrom('media').selectAll().executeTakeFirst()).toEqual({
      ...media,
      deleted_at: null,
      warnings: '[]',
      loudness: null,
      original: null,
      sounds: null,
      sound: null,
      seconds: null,
      pages: null,
    });
    await db.insertInto('admin_config').values(configRow(1)).execute();
    await fc.assert(
      fc.asyncProperty(
        fc.double({ noNaN: true, noDefaultInfinity: true, min: 0, max: 1e6 }),
        async (seconds) => {
          await db.updateTable('admin_config').set({ durata_frase_secondi: seconds }).execute();
          const row = await db
            .selectFrom('admin_config')
            .select('durata_frase_secondi')
            .executeTakeFirstOrThrow();
          expect(row.durata_frase_secondi).toBe(seconds === 0 ? 0 : seconds);
        },
      ),
      { numRuns: 50 },
    );
  });

  it('count as numbers', async () => {
    const { db } = database;
    await db
      .insertInto('tokens')
      .values([tokenRow('a', { accessi_usati: 2 }), tokenRow('b', { accessi_usati: 3 })])
      .execute();
    const totals = await db
      .selectFrom('tokens')
      .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.sum<number>('accessi_usati').as('uses')])
      .executeTakeFirstOrThrow();
    expect(totals).toStrictEqual({ rows: 2, uses: 5 });
  });

  it('say how many an update changed', async () => {
    const { db } = database;
    await db
      .insertInto('tokens')
      .values([tokenRow('a'), tokenRow('b'), tokenRow('c')])
      .execute();
    const updated = await db
      .updateTable('tokens')
      .set({ attivo: false })
      .where('id', '!=', 'a')
      .executeTakeFirstOrThrow();
    expect(updated.numUpdatedRows).toBe(2n);
    const deleted = await db.deleteFrom('tokens').where('attivo', '=', false).executeTakeFirstOrThrow();
    expect(deleted.numDeletedRows).toBe(2n);
  });

  it('give back the old row where one is in the way, without an error', async () => {
    const { db } = database;
    const insert = () =>
      db
        .insertInto('tokens')
        .values(tokenRow('a'))
        .onConflict((conflict) => conflict.column('normalized').doNothing())
        .returning('id')
        .execute();
    expect([await insert(), await insert()]).toEqual([[{ id: 'a' }], []]);
  });

  it('are unique where they must be', async () => {
    const { db } = database;
    const unique = { unique: true, check: false, unavailable: false };
    await db.insertInto('tokens').values(tokenRow('a')).execute();
    expect(await refused(db.insertInto('tokens').values(tokenRow('a', { normalized: 'OTHER' })))).toEqual(
      unique,
    );
    expect(await refused(db.insertInto('tokens').values(tokenRow('b', { normalized: 'ROMa' })))).toEqual(
      unique,
    );
    const answer = {
      session_id: 's',
      viaggio: 1 as const,
      token_value: 'x',
      risposta_1: true,
      risposta_2: false,
      created_at: NOW,
    };
    await db
      .insertInto('checkbox_responses')
      .values({ id: '1', ...answer })
      .execute();
    expect(await refused(db.insertInto('checkbox_responses').values({ id: '2', ...answer }))).toEqual(unique);
    await db
      .insertInto('checkbox_responses')
      .values({ id: '3', ...answer, viaggio: 2 })
      .execute();
  });

  it('keep the laws of the tables', async () => {
    const { db } = database;
    const check = { unique: false, check: true, unavailable: false };
    await db
      .insertInto('tokens')
      .values(tokenRow('a', { max_accessi: 1, accessi_usati: 1 }))
      .execute();
    expect(await refused(db.updateTable('tokens').set({ accessi_usati: 2 }))).toEqual(check);
    expect(await refused(db.updateTable('tokens').set({ accessi_usati: -1 }))).toEqual(check);
    expect(await refused(db.insertInto('tokens').values(tokenRow('b', { max_accessi: 0 })))).toEqual(check);
    expect(await refused(db.insertInto('admin_config').values(configRow(2)))).toEqual(check);
    const answer = {
      id: '1',
      session_id: 's',
      token_value: 'x',
      risposta_1: true,
      risposta_2: false,
      created_at: NOW,
    };
    expect(
      await refused(db.insertInto('checkbox_responses').values({ ...answer, viaggio: sql<Viaggio>`3` })),
    ).toEqual(check);
  });
});

async function refused(query: { execute(): Promise<unknown> }) {
  const error: unknown = await query.execute().then(
    () => null,
    (reason: unknown) => reason,
  );
  return {
    unique: isUniqueViolation(error),
    check: isCheckViolation(error),
    unavailable: isUnavailable(error),
  };
}
