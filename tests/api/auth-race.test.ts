import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { authTables, nodesOn, post } from '../support/auth.ts';
import { eachDatabase } from '../support/databases.ts';

const SIGN_UPS = 50;
const NODES = 5;
const NOW = '2026-01-01T00:00:00.000Z';

describe.each(eachDatabase)('registration on %s', (_name, open) => {
  test('of 50 who register at once exactly one becomes the administrator', { timeout: 120_000 }, async () => {
    for (let round = 0; round < 3; round += 1) {
      const database = await open();
      const nodes = await nodesOn(database, NODES);
      const answers = await Promise.all(
        Array.from({ length: SIGN_UPS }, (_, i) => {
          const node = nodes[i % NODES];
          if (!node) throw new Error('no such node');
          const body = { email: `persona${i}@example.org`, password: `una frase che so solo io ${i}` };
          return post(node, '/sign-up/email', body, { address: `10.0.${round}.${i}` });
        }),
      );
      const admitted = answers.filter((answer) => answer.status === 200);
      const refused = answers.filter((answer) => answer.status !== 200).map((answer) => answer.body.codice);
      expect(admitted).toHaveLength(1);
      expect(new Set(refused)).toEqual(new Set(['REGISTRATION_CLOSED']));
      const tables = await authTables(database);
      expect(tables).toMatchObject({ users: 1, accounts: 1, sessions: 1 });
      await database.drop();
    }
  });

  test('the database itself has one seat', async () => {
    const database = await open();
    const take = (id: string) =>
      sql`insert into "user" ("id", "name", "email", "emailVerified", "createdAt", "updatedAt", "seat")
        values (${id}, ${id}, ${id}, ${sql.lit(database.kind === 'sqlite' ? 0 : false)}, ${NOW}, ${NOW}, 1)`.execute(
        database.db,
      );
    await take('prima');
    await expect(take('seconda')).rejects.toThrow(/unique/i);
    await database.drop();
  });
});
