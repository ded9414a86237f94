import { expect, test } from 'vitest';
import { STOPPED_AFTER_MS } from '../../src/domain/limits.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { complete, resume } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useVisit } from '../support/visit-suite.ts';
import { stepIndex, walkTo } from '../support/visits.ts';

/** What the administrator is told of how far a visit came. */

const visit = useVisit(sqliteDatabase);

const told = async () => {
  const rows = await visit.server.deps.db
    .selectFrom('notifications')
    .selectAll()
    .where('type', 'like', 'visit_%')
    .execute();
  return rows.map(({ payload, next_attempt_at }) => ({
    ...(JSON.parse(payload) as object),
    after: Date.parse(next_attempt_at) - visit.server.clock.now().getTime(),
  }));
};
const left = async (seq = 0) =>
  trackUserExit(visit.server.deps, await visit.holder(), {
    state: 'closed',
    exitPoint: 'during_pre_phrases',
    seq,
  });

test('where she stopped is told some minutes after she left, and not at all when she is back by then', async () => {
  const { token_value } = await visit.row();
  await left();
  const stopped = {
    type: 'visit_stopped',
    token_value,
    nome: 'Per lei',
    exit_point: 'during_pre_phrases',
    after: STOPPED_AFTER_MS,
  };
  expect(await told()).toEqual([stopped]);
  await resume(visit.server.deps, await visit.visitor());
  expect(await told()).toEqual([]);
  await left(1);
  expect(await told()).toEqual([stopped]);
});

test('where she stopped is told of a visit that fell silent, too', async () => {
  visit.server.clock.advance(90_000);
  expect(await sweepSessions(visit.server.deps)).toBe(1);
  expect(await told()).toMatchObject([{ type: 'visit_stopped', nome: 'Per lei' }]);
});

test('what is being sent or has been sent stays as it is when she is back', async () => {
  await left();
  await visit.server.deps.db.updateTable('notifications').set({ claim: 'under way' }).execute();
  await resume(visit.server.deps, await visit.visitor());
  expect(await told()).toHaveLength(1);
});

test('where she stopped is no matter of a code that was revoked', async () => {
  await visit.revoke();
  expect(await told()).toEqual([]);
});

test('the end is told at once, and no stop', async () => {
  const { deps } = visit.server;
  const me = await visit.visitor();
  for (const viaggio of [1, 2] as const) {
    await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', viaggio));
    await giveAnswers(deps, me, { viaggio, risposta_1: true, risposta_2: true });
  }
  await walkTo(visit.server, visit.secret, me.steps.length - 1);
  await complete(deps, await visit.visitor());
  const { token_value } = await visit.row();
  expect(await told()).toEqual([{ type: 'visit_completed', token_value, nome: 'Per lei', after: 0 }]);
});
