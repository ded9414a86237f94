import { describe, expect, test } from 'vitest';
import { sweepSessions } from '../../src/server/features/sessions/sessions.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { trackUserExit } from '../../src/server/features/visit/exit.service.ts';
import { livingMediaIds } from '../../src/server/features/visit/media-access.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { resume } from '../../src/server/features/visit/visit.service.ts';
import { eachDatabase } from '../support/databases.ts';
import { useVisit } from '../support/visit-suite.ts';
import { stepIndex, walkTo } from '../support/visits.ts';

describe.each(eachDatabase)('coming and going, on %s', (_name, open) => {
  const visit = useVisit(open);

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
});
