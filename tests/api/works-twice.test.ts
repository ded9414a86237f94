import { sql } from 'kysely';
import { afterEach, expect, it } from 'vitest';
import type { InTransaction } from '../../src/server/deps.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { complete, resume } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import {
  comeIn,
  configure,
  holderOf,
  makeCode,
  stepIndex,
  tryToEnter,
  visitorOf,
  walkTo,
} from '../support/visits.ts';

let server: TestServer | null = null;
afterEach(async () => server?.close());

/** A door that does every work twice, as when a work beside it has thrown: what it did the first time is undone. */
const twice =
  (door: InTransaction): InTransaction =>
  (work) =>
    door(async (tx) => {
      await sql`savepoint first_time`.execute(tx);
      await work(tx).catch(() => undefined);
      await sql`rollback to first_time`.execute(tx);
      return work(tx);
    });

const TABLES = [
  'tokens',
  'active_sessions',
  'visit_snapshots',
  'checkbox_responses',
  'event_logs',
  'access_logs',
  'notifications',
  'rate_limits',
] as const;

/** A whole evening, some wrong codes and a revocation; how many rows of each kind there are in the end, and what was told. */
async function anEvening(door: (plain: InTransaction) => InTransaction) {
  server = await openTestServer(sqliteDatabase);
  const { deps, clock, actor, messages } = server;
  Object.assign(deps, { inTransaction: door(deps.inTransaction) });
  await configure(server);
  const [hers, another] = [await makeCode(server, { max_accessi: 2 }), await makeCode(server)];
  await tryToEnter(server, 'NOBODY', { address: '10.9.9.9' });
  await tryToEnter(server, 'NOBODYS', { address: '10.9.9.9' });
  const { secret } = await comeIn(server, hers.token);
  const cut = await comeIn(server, another.token);
  clock.advance(40_000);
  await heartbeat(deps, await holderOf(server, secret));
  const visitor = await visitorOf(server, secret);
  await resume(deps, visitor);
  for (const viaggio of [1, 2] as const) {
    await walkTo(server, secret, stepIndex(visitor, 'questions', viaggio));
    await giveAnswers(deps, await visitorOf(server, secret), {
      viaggio,
      risposta_1: true,
      risposta_2: false,
    });
  }
  await walkTo(server, secret, visitor.steps.length - 1);
  const completed = await complete(deps, await visitorOf(server, secret));
  await setTokenActive(deps, actor, { id: another.id, attivo: false });
  const rows = await Promise.all(
    TABLES.map(async (table) => (await deps.db.selectFrom(table).select(sql`1`.as('one')).execute()).length),
  );
  const uses = await deps.db.selectFrom('tokens').select('accessi_usati').execute();
  const state = (await holderOf(server, cut.secret)).state;
  await server.close();
  server = null;
  return { completed, state, uses, rows, told: messages.map(({ type }) => type) };
}

it('ends an evening alike where every work is done twice', async () => {
  const once = await anEvening((door) => door);
  expect(once).toMatchObject({ completed: { completed: true }, state: 'disconnected' });
  expect(await anEvening(twice)).toEqual(once);
});
