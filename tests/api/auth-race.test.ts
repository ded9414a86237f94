import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { authTables, nodesOn, post } from '../support/auth.ts';
import { sqliteDatabase, type TestDatabase } from '../support/databases.ts';

const ROUNDS = 5;
const SIGN_UPS = 50;
const NODES = 5;

async function emptied({ db }: TestDatabase): Promise<void> {
  for (const table of ['session', 'account', 'user', 'rate_limits'])
    await sql`delete from ${sql.table(table)}`.execute(db);
}

test('of 50 who register at once exactly one becomes the administrator, time after time', {
  timeout: 120_000,
}, async () => {
  const database = await sqliteDatabase();
  const nodes = await nodesOn(database, NODES);
  for (let round = 0; round < ROUNDS; round += 1) {
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
    expect(await authTables(database)).toEqual({ users: 1, accounts: 1, sessions: 1 });
    await emptied(database);
  }
  await database.drop();
});

test('strangers never refuse the administrator on a device that is new, however many try at once', async () => {
  const database = await sqliteDatabase();
  const [auth] = await nodesOn(database, 1);
  if (!auth) throw new Error('no node');
  const email = 'chi.prepara@example.org';
  await post(auth, '/sign-up/email', { email, password: 'canarino-giallo-8472' });
  const signIn = (password: string, address: string) =>
    post(auth, '/sign-in/email', { email, password }, { address });
  const strangers = Array.from({ length: 140 }, (_, n) => signIn('indovino?', `198.51.100.${n % 28}`));
  const owner = Array.from({ length: 5 }, (_, n) => signIn('canarino-giallo-8472', `203.0.113.${n}`));
  expect((await Promise.all(owner)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  const refused = (await Promise.all(strangers)).map(({ status }) => status);
  expect(refused.filter((status) => status === 200)).toEqual([]);
  expect(await signIn('canarino-giallo-8472', '203.0.113.9')).toMatchObject({ status: 200 });
  await database.drop();
});
