import { describe, expect, test } from 'vitest';
import { ABANDONED_AFTER_MS } from '../../src/domain/limits.ts';
import { referencedMediaIds } from '../../src/server/features/visit/media-access.ts';
import { heartbeat, trackUserExit } from '../../src/server/features/visit/presence.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { complete, giveAnswers, reportPosition, resume } from '../../src/server/features/visit/visit.ts';
import { publishedTopics, useVisit } from '../support/product.ts';
import { attemptOf, enterOrThrow, makeCode, stepIndex, walkTo } from '../support/visits.ts';

const visit = useVisit();
const { server } = visit;

type Report = Partial<Parameters<typeof trackUserExit>[1]>;
const leave = async (report: Report = {}) =>
  trackUserExit(
    { ...server.deps, holder: await visit.holder() },
    {
      state: 'closed',
      exitPoint: 'during_pre_phrases',
      seq: 0,
      ...report,
    },
  );
const beat = async (pageLoadId?: string) =>
  heartbeat({ ...server.deps, holder: await visit.holder() }, { life: pageLoadId });
const returnToVisit = async (pageLoadId?: string) =>
  resume({ ...server.deps, visitor: await visit.visitor() }, { life: pageLoadId });
const sweep = () => sweepSessions(server.deps);
const after = (ms: number) => server.clock.advance(ms);
const isActive = async () => (await visit.row()).is_active;

test('closes with the exit point once when the visitor leaves, and reopens the same session on return', async () => {
  const left = { exitPoint: 'during_post_phrases', seq: 4 } as const;
  await leave(left);
  const closed = { is_active: false, disconnection_reason: 'user_logout', exit_point: left.exitPoint };
  expect(await visit.row()).toMatchObject(closed);
  await leave(left);
  await leave({ ...left, seq: 5 });
  const ended = { session_id: visit.sessionId, reason: 'user_logout', exit_point: left.exitPoint };
  expect(await visit.events('session_ended')).toEqual([ended]);
  const me = await visit.visitor();
  await Promise.all(Array.from({ length: 10 }, () => resume({ ...server.deps, visitor: me }, {})));
  const open = { is_active: true, disconnected_at: null, disconnection_reason: null };
  expect(await visit.row()).toMatchObject(open);
  expect(await visit.events('session_started')).toEqual([
    { session_id: visit.sessionId },
    { session_id: visit.sessionId, resumed: true },
  ]);
  await leave(left);
  expect(await isActive()).toBe(true);
});

test('stores the exit point after the questions, and closes nothing', async () => {
  await leave({ state: 'open', exitPoint: 'after_checkboxes', seq: 3 });
  const stored = { is_active: true, exit_point: 'after_checkboxes', exit_seq: 3 };
  expect(await visit.row()).toMatchObject(stored);
  expect(await visit.events('session_ended')).toEqual([]);
  after(90_000);
  await sweep();
  expect(await visit.events('session_ended')).toMatchObject([{ exit_point: 'after_checkboxes' }]);
});

test('stays open hidden for ten minutes, and visible for a minute and a half', async () => {
  await leave({ state: 'background' });
  for (const silence of [600_000, 90_000]) {
    after(silence - 1);
    expect(await sweep()).toBe(0);
    after(1);
    expect(await sweep()).toBe(1);
    expect(await visit.row()).toMatchObject({ is_active: false, disconnection_reason: 'timeout' });
    expect(await returnToVisit()).toMatchObject({ session_id: visit.sessionId });
  }
  expect(await visit.events('session_ended')).toHaveLength(2);
});

test('stays open by heartbeats, five seconds apart at least; those that count are published', async () => {
  const start = (await visit.row()).last_activity;
  after(4_999);
  expect(await publishedTopics(server, () => beat())).toEqual([]);
  expect((await visit.row()).last_activity).toBe(start);
  after(1);
  expect(await publishedTopics(server, () => beat())).toEqual([['sessions']]);
  for (let beats = 0; beats < 20; beats += 1) {
    after(30_000);
    expect(await beat()).toEqual({ state: 'open', disconnection: null });
    expect(await sweep()).toBe(0);
  }
  expect((await visit.row()).last_activity).toBe(server.clock.now().toISOString());
  after(5 * 60_000);
  await sweep();
  expect(await publishedTopics(server, () => beat())).toEqual([['sessions', 'logs']]);
});

test('reopens with a heartbeat after a silence, but not with one that crossed the farewell', async () => {
  after(5 * 60_000);
  await sweep();
  expect(await beat()).toMatchObject({ state: 'open' });
  expect(await isActive()).toBe(true);
  await leave();
  after(1_000);
  expect(await beat()).toMatchObject({ state: 'open' });
  expect(await isActive()).toBe(false);
  after(4_000);
  await beat();
  expect(await isActive()).toBe(true);
  after(6_000);
  const before = await visit.holder();
  await leave({ seq: 1 });
  await heartbeat({ ...server.deps, holder: before }, {});
  expect(await isActive()).toBe(false);
});

test('ends after a day, even without a pause', async () => {
  const { deps, clock } = server;
  for (let hours = 0; hours < 24; hours += 1) {
    expect(await beat()).toMatchObject({ state: 'open' });
    after(3_600_000);
  }
  await beat();
  expect(await visit.guard()).toEqual({ refused: 'VISIT_ENDED' });
  expect(await sweep()).toBe(1);
  expect(await beat()).toEqual({ state: 'ended', disconnection: null });
  expect(await referencedMediaIds(deps.db, clock.now())).toEqual(new Set());
});

describe('late request of an unloaded page', () => {
  const pageLoadId = '0d2f3b1e-6f6a-4f0e-9b6e-1a2b3c4d5e6f';
  const reloaded = '7a1c9d52-0b3e-4c8f-8f21-5d6e7f8091a2';
  const farewell = { exitPoint: 'during_checkboxes', seq: 7, life: pageLoadId } as const;
  const left = async () => {
    const me = await visit.visitor();
    await walkTo(server, visit.secret, stepIndex(me, 'questions', 1));
    await returnToVisit(pageLoadId);
    await leave(farewell);
    after(6_000);
    return { me, before: await visit.row() };
  };

  test('changes nothing', async () => {
    const { deps } = server;
    const { me, before } = await left();
    expect(before).toMatchObject({ is_active: false, disconnection_reason: 'user_logout' });
    expect(await resume({ ...deps, visitor: me }, { life: pageLoadId })).toMatchObject({
      session_id: visit.sessionId,
    });
    await reportPosition(
      { ...deps, visitor: me },
      { ...me.position, step: before.step, phrase: 1, life: pageLoadId },
    );
    expect(await beat(pageLoadId)).toMatchObject({ state: 'open' });
    for (const state of ['background', 'closed'] as const) await leave({ state, seq: 8, life: pageLoadId });
    expect(await complete({ ...deps, visitor: me }, { life: pageLoadId })).not.toEqual({ completed: true });
    expect(await visit.row()).toEqual(before);
    expect(await visit.events('session_ended')).toHaveLength(1);
    expect(await visit.events('session_started')).toHaveLength(1);
  });

  test('stores answers, and opens nothing', async () => {
    const { me, before } = await left();
    const answers = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
    expect(
      await giveAnswers({ ...server.deps, visitor: me }, { ...answers, life: pageLoadId }),
    ).toMatchObject({ answers: [answers] });
    expect(await visit.row()).toEqual({ ...before, exit_point: 'after_checkboxes' });
    expect(await visit.events('session_started')).toHaveLength(1);
  });

  test('differs from a request of a new page load, which opens the visit again', async () => {
    await left();
    await returnToVisit(reloaded);
    const opened = await visit.row();
    expect(opened).toMatchObject({ is_active: true, life: reloaded });
    after(6_000);
    await returnToVisit(pageLoadId);
    await beat(pageLoadId);
    const { last_activity } = opened;
    expect(await visit.row()).toMatchObject({ is_active: true, life: reloaded, last_activity });
  });

  test('closes nothing as a farewell that the reloaded page has overtaken', async () => {
    await returnToVisit(pageLoadId);
    await returnToVisit(reloaded);
    await leave({ ...farewell, state: 'background', seq: 6 });
    await leave(farewell);
    expect(await visit.row()).toMatchObject({ is_active: true, background_at: null });
    await leave({ ...farewell, life: reloaded });
    expect(await isActive()).toBe(false);
    after(6_000);
    for (const endedLoad of [pageLoadId, reloaded]) await beat(endedLoad);
    expect(await isActive()).toBe(false);
  });

  test('opens nothing as a delayed entry', async () => {
    const { token } = await makeCode(server);
    const attempt = attemptOf(token, { life: pageLoadId });
    const { secret, session_id } = await enterOrThrow(server, token, attempt);
    Object.assign(visit, { secret, sessionId: session_id });
    await leave(farewell);
    const before = await visit.row();
    after(6_000);
    expect(await enterOrThrow(server, token, attempt)).toMatchObject({ secret, session_id });
    expect(await visit.row()).toEqual(before);
    await enterOrThrow(server, token, { ...attempt, life: reloaded });
    expect(await isActive()).toBe(true);
  });
});

describe('notification of a stopped visit', () => {
  const stopNotices = async () => {
    const waiting = server.deps.db.selectFrom('notifications').selectAll().where('type', 'like', 'visit_%');
    return (await waiting.execute()).map(({ payload, next_attempt_at }) => ({
      ...(JSON.parse(payload) as object),
      after: Date.parse(next_attempt_at) - server.clock.now().getTime(),
    }));
  };

  test('is sent some minutes after leaving, and not at all after a return by then', async () => {
    const { token_value } = await visit.row();
    const exit_point = 'during_pre_phrases';
    const stopped = { type: 'visit_stopped', token_value, nome: 'Per lei', exit_point };
    await leave();
    expect(await stopNotices()).toEqual([{ ...stopped, after: ABANDONED_AFTER_MS }]);
    await returnToVisit();
    expect(await stopNotices()).toEqual([]);
    await leave({ seq: 1 });
    expect(await stopNotices()).toHaveLength(1);
    // A notification that was sent, or is being sent, stays unchanged.
    await server.deps.db.updateTable('notifications').set({ claim: 'under way' }).execute();
    await returnToVisit();
    expect(await stopNotices()).toHaveLength(1);
  });

  test('is also sent for a visit that fell silent, but not for one whose code was revoked', async () => {
    after(90_000);
    expect(await sweep()).toBe(1);
    expect(await stopNotices()).toMatchObject([{ type: 'visit_stopped', nome: 'Per lei' }]);
    await returnToVisit();
    await visit.revoke();
    expect(await stopNotices()).toEqual([]);
  });
});
