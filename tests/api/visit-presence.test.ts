import { describe, expect, test } from 'vitest';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { livingMediaIds } from '../../src/server/features/visit/media-access.ts';
import { heartbeat, trackUserExit } from '../../src/server/features/visit/presence.service.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.service.ts';
import { complete, reportPosition, resume } from '../../src/server/features/visit/visit.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { useVisit } from '../support/visit-suite.ts';
import { attemptOf, comeIn, makeCode, stepIndex, walkTo } from '../support/visits.ts';

const visit = useVisit(sqliteDatabase);

test('leaving closes with the exit point, once; coming back opens the same session', async () => {
  const { deps } = visit.server;
  const left = { state: 'closed' as const, exitPoint: 'during_post_phrases' as const, seq: 4 };
  await trackUserExit(deps, await visit.holder(), left);
  expect(await visit.row()).toMatchObject({
    is_active: false,
    disconnection_reason: 'user_logout',
    exit_point: 'during_post_phrases',
  });
  await trackUserExit(deps, await visit.holder(), left);
  await trackUserExit(deps, await visit.holder(), { ...left, seq: 5 });
  expect(await visit.events('session_ended')).toEqual([
    { session_id: visit.sessionId, reason: 'user_logout', exit_point: 'during_post_phrases' },
  ]);
  expect(await resume(deps, await visit.visitor())).toMatchObject({ session_id: visit.sessionId });
  expect(await visit.row()).toMatchObject({
    is_active: true,
    disconnected_at: null,
    disconnection_reason: null,
  });
  expect(await visit.events('session_started')).toEqual([
    { session_id: visit.sessionId },
    { session_id: visit.sessionId, resumed: true },
  ]);
  await trackUserExit(deps, await visit.holder(), left);
  expect(await visit.row()).toMatchObject({ is_active: true });
});

test('after the questions the exit point is kept, and nothing is closed', async () => {
  const { deps } = visit.server;
  await trackUserExit(deps, await visit.holder(), { state: 'open', exitPoint: 'after_checkboxes', seq: 3 });
  expect(await visit.row()).toMatchObject({ is_active: true, exit_point: 'after_checkboxes', exit_seq: 3 });
  expect(await visit.events('session_ended')).toEqual([]);
  visit.server.clock.advance(90_000);
  await sweepSessions(deps);
  expect(await visit.events('session_ended')).toMatchObject([{ exit_point: 'after_checkboxes' }]);
});

test('ten returns at once open it once', async () => {
  await trackUserExit(visit.server.deps, await visit.holder(), {
    state: 'closed',
    exitPoint: 'during_pre_phrases',
    seq: 0,
  });
  const me = await visit.visitor();
  await Promise.all(Array.from({ length: 10 }, () => resume(visit.server.deps, me)));
  expect(await visit.events('session_started')).toHaveLength(2);
});

test('hidden is not left: she has ten minutes, in sight a minute and a half', async () => {
  const { deps, clock } = visit.server;
  await trackUserExit(deps, await visit.holder(), {
    state: 'background',
    exitPoint: 'during_pre_phrases',
    seq: 0,
  });
  clock.advance(599_999);
  expect(await sweepSessions(deps)).toBe(0);
  clock.advance(1);
  expect(await sweepSessions(deps)).toBe(1);
  expect(await visit.row()).toMatchObject({ is_active: false, disconnection_reason: 'timeout' });
  expect(await resume(deps, await visit.visitor())).toMatchObject({ session_id: visit.sessionId });
  clock.advance(89_999);
  expect(await sweepSessions(deps)).toBe(0);
  clock.advance(1);
  expect(await sweepSessions(deps)).toBe(1);
  expect(await visit.events('session_ended')).toHaveLength(2);
});

test('heartbeats keep it open, five seconds apart at least', async () => {
  const { deps, clock } = visit.server;
  const stillOpen = { state: 'open', disconnection: null };
  const start = (await visit.row()).last_activity;
  clock.advance(4_999);
  expect(await heartbeat(deps, await visit.holder())).toEqual(stillOpen);
  expect((await visit.row()).last_activity).toBe(start);
  for (let beats = 0; beats < 20; beats += 1) {
    clock.advance(30_000);
    expect(await heartbeat(deps, await visit.holder())).toEqual(stillOpen);
    expect(await sweepSessions(deps)).toBe(0);
  }
  expect((await visit.row()).last_activity).toBe(clock.now().toISOString());
});

test('heartbeats that count are told to the administrator’s pages, with the log when the visit opens again', async () => {
  const { deps, clock, messages } = visit.server;
  const told = async () => {
    messages.length = 0;
    await heartbeat(deps, await visit.holder());
    return messages;
  };
  clock.advance(4_999);
  expect(await told()).toEqual([]);
  clock.advance(1);
  expect(await told()).toEqual([{ type: 'changed', topics: ['sessions'] }]);
  clock.advance(5 * 60_000);
  await sweepSessions(deps);
  expect(await told()).toEqual([{ type: 'changed', topics: ['sessions', 'logs'] }]);
});

test('a heartbeat after a silence opens it again; one that crossed the goodbye does not', async () => {
  const { deps, clock } = visit.server;
  clock.advance(5 * 60_000);
  await sweepSessions(deps);
  expect(await heartbeat(deps, await visit.holder())).toMatchObject({ state: 'open' });
  expect(await visit.row()).toMatchObject({ is_active: true });
  await trackUserExit(deps, await visit.holder(), {
    state: 'closed',
    exitPoint: 'during_pre_phrases',
    seq: 0,
  });
  clock.advance(1_000);
  expect(await heartbeat(deps, await visit.holder())).toMatchObject({ state: 'open' });
  expect(await visit.row()).toMatchObject({ is_active: false });
  clock.advance(4_000);
  await heartbeat(deps, await visit.holder());
  expect(await visit.row()).toMatchObject({ is_active: true });
  clock.advance(6_000);
  const before = await visit.holder();
  await trackUserExit(deps, before, { state: 'closed', exitPoint: 'during_pre_phrases', seq: 1 });
  await heartbeat(deps, before);
  expect(await visit.row()).toMatchObject({ is_active: false });
});

describe('what arrives from a page that has said farewell', () => {
  const life = '0d2f3b1e-6f6a-4f0e-9b6e-1a2b3c4d5e6f';
  const reloaded = '7a1c9d52-0b3e-4c8f-8f21-5d6e7f8091a2';
  const farewell = { state: 'closed' as const, exitPoint: 'during_checkboxes' as const, seq: 7 };
  const answers = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
  const left = async () => {
    const me = await visit.visitor();
    await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', 1));
    await resume(visit.server.deps, me, life);
    await trackUserExit(visit.server.deps, await visit.holder(), { ...farewell, life });
    visit.server.clock.advance(6_000);
    return { me, before: await visit.row() };
  };

  test('changes nothing', async () => {
    const { deps } = visit.server;
    const { me, before } = await left();
    expect(before).toMatchObject({ is_active: false, disconnection_reason: 'user_logout' });
    expect(await resume(deps, me, life)).toMatchObject({ session_id: visit.sessionId });
    await reportPosition(deps, me, { ...me.position, step: before.step, phrase: 1 }, life);
    expect(await heartbeat(deps, await visit.holder(), life)).toMatchObject({ state: 'open' });
    const late = { ...farewell, exitPoint: 'during_pre_phrases' as const, seq: 8, life };
    await trackUserExit(deps, await visit.holder(), { ...late, state: 'background' });
    await trackUserExit(deps, await visit.holder(), late);
    expect(await complete(deps, me, life)).not.toEqual({ completed: true });
    expect(await visit.row()).toEqual(before);
    expect(await visit.events('session_ended')).toHaveLength(1);
    expect(await visit.events('session_started')).toHaveLength(1);
  });

  test('is kept when it is her answers, and opens nothing', async () => {
    const { me, before } = await left();
    expect(await giveAnswers(visit.server.deps, me, answers, life)).toMatchObject({ answers: [answers] });
    expect(await visit.row()).toEqual({ ...before, exit_point: 'after_checkboxes' });
    expect(await visit.events('session_started')).toHaveLength(1);
  });

  test('is told from what a new life asks, which opens the visit again', async () => {
    const { deps } = visit.server;
    const { me } = await left();
    await resume(deps, me, reloaded);
    expect(await visit.row()).toMatchObject({ is_active: true, life: reloaded });
    const sign = (await visit.row()).last_activity;
    visit.server.clock.advance(6_000);
    await resume(deps, me, life);
    await heartbeat(deps, await visit.holder(), life);
    expect(await visit.row()).toMatchObject({ is_active: true, life: reloaded, last_activity: sign });
  });

  test('is told from a farewell that the reloaded page has overtaken', async () => {
    const { deps } = visit.server;
    const me = await visit.visitor();
    await resume(deps, me, life);
    await resume(deps, me, reloaded);
    await trackUserExit(deps, await visit.holder(), { ...farewell, state: 'background', seq: 6, life });
    await trackUserExit(deps, await visit.holder(), { ...farewell, life });
    expect(await visit.row()).toMatchObject({ is_active: true, background_at: null });
    await trackUserExit(deps, await visit.holder(), { ...farewell, life: reloaded });
    expect(await visit.row()).toMatchObject({ is_active: false });
    visit.server.clock.advance(6_000);
    for (const gone of [life, reloaded]) await heartbeat(deps, await visit.holder(), gone);
    expect(await visit.row()).toMatchObject({ is_active: false });
  });

  test('and the entry that got stuck on its way opens nothing', async () => {
    const { token } = await makeCode(visit.server);
    const attempt = attemptOf(token, { life });
    const { secret, session_id } = await comeIn(visit.server, token, attempt);
    Object.assign(visit, { secret, sessionId: session_id });
    await trackUserExit(visit.server.deps, await visit.holder(), { ...farewell, life });
    const before = await visit.row();
    visit.server.clock.advance(6_000);
    expect(await comeIn(visit.server, token, attempt)).toMatchObject({ secret, session_id });
    expect(await visit.row()).toEqual(before);
    await comeIn(visit.server, token, { ...attempt, life: reloaded });
    expect(await visit.row()).toMatchObject({ is_active: true });
  });
});

test('answers that come after a silence are taken', async () => {
  const me = await visit.visitor();
  await walkTo(visit.server, visit.secret, stepIndex(me, 'questions', 1));
  visit.server.clock.advance(5 * 60_000);
  await sweepSessions(visit.server.deps);
  expect(
    await giveAnswers(visit.server.deps, me, { viaggio: 1, risposta_1: false, risposta_2: false }),
  ).toHaveProperty('answers');
  expect(await visit.row()).toMatchObject({ is_active: true });
});

test('after a day it is over, also for who never stopped', async () => {
  const { deps, clock } = visit.server;
  for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
    clock.advance(60_000);
    if (minutes % 60 === 0) await heartbeat(deps, await visit.holder());
  }
  await heartbeat(deps, await visit.holder());
  expect(await visit.guard()).toEqual({ refused: 'VISIT_ENDED' });
  expect(await sweepSessions(deps)).toBe(1);
  expect(await heartbeat(deps, await visit.holder())).toEqual({ state: 'ended', disconnection: null });
  expect(await livingMediaIds(deps.db, clock.now())).toEqual(new Set());
});
