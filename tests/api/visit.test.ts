import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { trackUserExit } from '../../src/server/features/visit/exit.service.ts';
import {
  livingMediaIds,
  mayReadMedia,
  mediaIdOf,
  ticketUrl,
} from '../../src/server/features/visit/media-access.ts';
import { heartbeat } from '../../src/server/features/visit/presence.service.ts';
import { reportError } from '../../src/server/features/visit/report-error.service.ts';
import { siteState } from '../../src/server/features/visit/site.service.ts';
import { complete, reportPosition, resume } from '../../src/server/features/visit/visit.service.ts';
import { sweepSessions } from '../../src/server/features/sessions/sessions.service.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { requireVisit } from '../../src/server/http/guards.ts';
import { eachDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { FULL_CONFIGURATION, mediaUrl, NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkLaws } from '../support/laws.ts';
import { inParallel } from '../support/parallel.ts';
import { comeIn, configure, holderOf, makeCode, stepIndex, visitorOf, walkTo } from '../support/visits.ts';

const DAY = 24 * 3_600_000;

describe.each(eachDatabase)('a visit, on %s', (_name, open) => {
  let server: TestServer;
  let secret: string;
  let sessionId: string;

  beforeEach(async () => {
    server = await openTestServer(open);
    await configure(server);
    const { token } = await makeCode(server);
    ({ secret, session_id: sessionId } = await comeIn(server, token, { device_id: 'device-1-a' }));
  });

  afterEach(async () => {
    await sweepSessions(server.deps);
    expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
    await server.close();
  });

  const visitor = () => visitorOf(server, secret);
  const holder = () => holderOf(server, secret);
  const row = () =>
    server.deps.db
      .selectFrom('active_sessions')
      .selectAll()
      .where('id', '=', sessionId)
      .executeTakeFirstOrThrow();
  const events = async (type: string) => {
    const found = await server.deps.db
      .selectFrom('event_logs')
      .selectAll()
      .where('event_type', '=', type)
      .execute();
    return found.map(({ metadata }) => JSON.parse(metadata));
  };
  const guard = async (cookie: string | null = secret) =>
    requireVisit({ deps: server.deps, cookies: { visit: cookie } });
  const at = (step: number, phrase = 0, second = 0) => ({ step, phrase, second });
  const revoke = async () => {
    const { token_id } = await row();
    await setTokenActive(server.deps, server.actor, { id: token_id, attivo: false });
  };

  test('who has no cookie, or one that leads nowhere, has no visit', async () => {
    expect(await guard(null)).toEqual({ refused: 'NO_VISIT' });
    expect(await guard('x'.repeat(43))).toEqual({ refused: 'NO_VISIT' });
    expect(await guard(`${secret.slice(0, -1)}!`)).toEqual({ refused: 'NO_VISIT' });
    const { cookie_hash } = await row();
    expect(await guard(cookie_hash)).toEqual({ refused: 'NO_VISIT' });
  });

  test('at the beginning only the first stages are known', async () => {
    const visit = await resume(server.deps, await visitor());
    expect(visit).toMatchObject({
      session_id: sessionId,
      position: at(0),
      complete: false,
      answers: [],
      canzone_url: null,
    });
    expect(visit).toHaveProperty('stages.length', 2);
    const text = JSON.stringify(visit);
    expect(text).toContain('prima-uno');
    expect(text).toContain(FULL_CONFIGURATION.video_url);
    expect(text).not.toMatch(/dopo-uno|meta|biglietti|domanda|finale|secondo|addio/);
  });

  test('the place moves forward one stage at a time and never back', async () => {
    const { deps } = server;
    const me = await visitor();
    expect(await reportPosition(deps, me, at(2))).toEqual({ refused: 'STEP_REFUSED' });
    expect(await reportPosition(deps, me, at(99))).toEqual({ refused: 'STEP_REFUSED' });
    expect(await reportPosition(deps, me, at(0, 1))).toMatchObject({ position: at(0, 1) });
    expect(await reportPosition(deps, me, at(1, 0, 7.5))).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await reportPosition(deps, me, at(1, 0, 3))).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await reportPosition(deps, me, at(0))).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await row()).toMatchObject({ step: 1, phrase: 0, second: 7.5, exit_point: 'during_pre_phrases' });
    await walkTo(server, secret, 2);
    expect(await row()).toMatchObject({ step: 2, exit_point: 'during_post_phrases' });
  });

  test('many reports at once leave the furthest place', async () => {
    const me = await visitor();
    const phrases = Array.from({ length: 60 }, (_, phrase) => phrase).sort(
      (a, b) => ((a * 37) % 60) - ((b * 37) % 60),
    );
    await inParallel(
      phrases.map((phrase) => () => reportPosition(server.deps, me, at(0, phrase))),
      40,
    );
    expect(await row()).toMatchObject({ step: 0, phrase: 59 });
  });

  test('questions hold her until they are answered; the closing phrase comes with the answers', async () => {
    await configure(server, NO_SECOND_TRIP);
    const { token } = await makeCode(server);
    ({ secret, session_id: sessionId } = await comeIn(server, token));
    const me = await visitor();
    const questions = stepIndex(me, 'questions', 1);
    const given = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
    expect(await giveAnswers(server.deps, me, given)).toEqual({ refused: 'ANSWERS_REFUSED' });
    await walkTo(server, secret, questions);
    expect(await giveAnswers(server.deps, me, { ...given, viaggio: 2 })).toEqual({
      refused: 'ANSWERS_REFUSED',
    });
    expect(await reportPosition(server.deps, me, at(questions + 1))).toEqual({ refused: 'STEP_REFUSED' });
    expect(await complete(server.deps, me)).toEqual({ refused: 'STEP_REFUSED' });
    expect(await giveAnswers(server.deps, me, given)).toMatchObject({
      answers: [given],
      complete: true,
      stages: expect.arrayContaining([
        { stage: 'closing', viaggio: 1, frase: 'finale-misto', answered: true },
      ]),
    });
    expect(await row()).toMatchObject({ exit_point: 'after_checkboxes' });
    const told = await server.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('type', '=', 'checkbox_response')
      .execute();
    const { token_value } = await row();
    expect(told.map(({ payload }) => JSON.parse(payload))).toEqual([
      { type: 'checkbox_response', token_value, risposta_1: true, risposta_2: false, viaggio: 1 },
    ]);
    expect(await giveAnswers(server.deps, me, given)).toMatchObject({ answers: [given] });
    expect(await giveAnswers(server.deps, me, { ...given, risposta_2: true })).toEqual({
      refused: 'ANSWERS_CONFLICT',
    });
    expect(await complete(server.deps, me)).toEqual({ refused: 'STEP_REFUSED' });
    await walkTo(server, secret, questions + 1);
    expect(await complete(server.deps, me)).toEqual({});
  });

  test('of a hundred different answers at once one is stored, once, and told once', async () => {
    const me = await visitor();
    await walkTo(server, secret, stepIndex(me, 'questions', 1));
    const posts = Array.from({ length: 100 }, (_, n) => ({
      viaggio: 1 as const,
      risposta_1: n % 2 === 0,
      risposta_2: n % 3 === 0,
    }));
    const results = await inParallel(
      posts.map((post) => async () => ({ post, result: await giveAnswers(server.deps, me, post) })),
      40,
    );
    const stored = await server.deps.db.selectFrom('checkbox_responses').selectAll().execute();
    expect(stored).toHaveLength(1);
    const { risposta_1, risposta_2 } = stored[0] ?? {};
    for (const { post, result } of results) {
      const same = post.risposta_1 === risposta_1 && post.risposta_2 === risposta_2;
      if (same) expect(result).toHaveProperty('answers', [{ viaggio: 1, risposta_1, risposta_2 }]);
      else expect(result).toEqual({ refused: 'ANSWERS_CONFLICT' });
    }
    const told = await server.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('type', '=', 'checkbox_response')
      .execute();
    expect(told).toHaveLength(1);
  });

  test('a whole evening with two trips, then nothing more', async () => {
    const { deps } = server;
    const me = await visitor();
    for (const viaggio of [1, 2] as const) {
      await walkTo(server, secret, stepIndex(me, 'questions', viaggio));
      await giveAnswers(deps, me, { viaggio, risposta_1: true, risposta_2: viaggio === 1 });
    }
    await walkTo(server, secret, me.steps.length - 1);
    expect(await resume(deps, await visitor())).toMatchObject({
      complete: true,
      stages: { length: me.steps.length },
    });
    expect(await complete(deps, me)).toEqual({});
    expect(await row()).toMatchObject({
      is_active: false,
      disconnection_reason: 'user_logout',
      completed_at: server.clock.now().toISOString(),
    });
    expect(await events('session_ended')).toEqual([
      { session_id: sessionId, reason: 'user_logout', exit_point: 'after_checkboxes', completed: true },
    ]);
    expect(await guard()).toEqual({ refused: 'VISIT_ENDED' });
    expect(await resume(deps, me)).toEqual({ refused: 'VISIT_ENDED' });
    expect(await complete(deps, me)).toEqual({ refused: 'VISIT_ENDED' });
    expect(await heartbeat(deps, await holder())).toEqual({ state: 'ended', disconnection: null });
    expect(await siteState(deps, await holder())).toMatchObject({ resumable: false, disconnection: null });
    expect(await livingMediaIds(deps.db, server.clock.now())).toEqual(new Set());
  });

  test('she sees the configuration she began with', async () => {
    await configure(
      server,
      { frasi_pre_video: ['cambiata'], video_url: mediaUrl('7', 'mp4'), frasi: [] },
      { domanda_1: null },
    );
    const text = JSON.stringify(await resume(server.deps, await visitor()));
    expect(text).toContain('prima-uno');
    expect(text).not.toContain('cambiata');
    expect((await visitor()).snapshot.questions.domanda_1).toBe('domanda-uno');
  });

  test('leaving closes with the exit point, once; coming back opens the same session', async () => {
    const { deps } = server;
    const left = { state: 'closed' as const, exitPoint: 'during_post_phrases' as const, seq: 4 };
    await trackUserExit(deps, await holder(), left);
    expect(await row()).toMatchObject({
      is_active: false,
      disconnection_reason: 'user_logout',
      exit_point: 'during_post_phrases',
    });
    await trackUserExit(deps, await holder(), left);
    await trackUserExit(deps, await holder(), { ...left, seq: 5 });
    expect(await events('session_ended')).toEqual([
      { session_id: sessionId, reason: 'user_logout', exit_point: 'during_post_phrases' },
    ]);
    expect(await resume(deps, await visitor())).toMatchObject({ session_id: sessionId });
    expect(await row()).toMatchObject({ is_active: true, disconnected_at: null, disconnection_reason: null });
    expect(await events('session_started')).toEqual([
      { session_id: sessionId },
      { session_id: sessionId, resumed: true },
    ]);
    await trackUserExit(deps, await holder(), left);
    expect(await row()).toMatchObject({ is_active: true });
  });

  test('ten returns at once open it once', async () => {
    await trackUserExit(server.deps, await holder(), {
      state: 'closed',
      exitPoint: 'during_pre_phrases',
      seq: 0,
    });
    const me = await visitor();
    await Promise.all(Array.from({ length: 10 }, () => resume(server.deps, me)));
    expect(await events('session_started')).toHaveLength(2);
  });

  test('hidden is not left: she has ten minutes, in sight a minute and a half', async () => {
    const { deps, clock } = server;
    await trackUserExit(deps, await holder(), {
      state: 'background',
      exitPoint: 'during_pre_phrases',
      seq: 0,
    });
    clock.advance(599_999);
    expect(await sweepSessions(deps)).toBe(0);
    clock.advance(1);
    expect(await sweepSessions(deps)).toBe(1);
    expect(await row()).toMatchObject({ is_active: false, disconnection_reason: 'timeout' });
    expect(await resume(deps, await visitor())).toMatchObject({ session_id: sessionId });
    clock.advance(89_999);
    expect(await sweepSessions(deps)).toBe(0);
    clock.advance(1);
    expect(await sweepSessions(deps)).toBe(1);
    expect(await events('session_ended')).toHaveLength(2);
  });

  test('heartbeats keep it open, five seconds apart at least', async () => {
    const { deps, clock } = server;
    const open = { state: 'open', disconnection: null };
    const start = (await row()).last_activity;
    clock.advance(4_999);
    expect(await heartbeat(deps, await holder())).toEqual(open);
    expect((await row()).last_activity).toBe(start);
    for (let beats = 0; beats < 20; beats += 1) {
      clock.advance(30_000);
      expect(await heartbeat(deps, await holder())).toEqual(open);
      expect(await sweepSessions(deps)).toBe(0);
    }
    expect((await row()).last_activity).toBe(clock.now().toISOString());
  });

  test('a heartbeat after a silence opens it again; one that crossed the goodbye does not', async () => {
    const { deps, clock } = server;
    clock.advance(5 * 60_000);
    await sweepSessions(deps);
    expect(await heartbeat(deps, await holder())).toMatchObject({ state: 'open' });
    expect(await row()).toMatchObject({ is_active: true });
    await trackUserExit(deps, await holder(), { state: 'closed', exitPoint: 'during_pre_phrases', seq: 0 });
    clock.advance(1_000);
    expect(await heartbeat(deps, await holder())).toMatchObject({ state: 'open' });
    expect(await row()).toMatchObject({ is_active: false });
    clock.advance(4_000);
    await heartbeat(deps, await holder());
    expect(await row()).toMatchObject({ is_active: true });
  });

  test('answers that come after a silence are taken', async () => {
    const me = await visitor();
    await walkTo(server, secret, stepIndex(me, 'questions', 1));
    server.clock.advance(5 * 60_000);
    await sweepSessions(server.deps);
    expect(
      await giveAnswers(server.deps, me, { viaggio: 1, risposta_1: false, risposta_2: false }),
    ).toHaveProperty('answers');
    expect(await row()).toMatchObject({ is_active: true });
  });

  test('after a day it is over, also for who never stopped', async () => {
    const { deps, clock } = server;
    for (let minutes = 0; minutes < 24 * 60; minutes += 1) {
      clock.advance(60_000);
      if (minutes % 60 === 0) await heartbeat(deps, await holder());
    }
    await heartbeat(deps, await holder());
    expect(await guard()).toEqual({ refused: 'VISIT_ENDED' });
    expect(await sweepSessions(deps)).toBe(1);
    expect(await heartbeat(deps, await holder())).toEqual({ state: 'ended', disconnection: null });
    expect(await livingMediaIds(deps.db, clock.now())).toEqual(new Set());
  });

  test('revoked: everything is refused and the reason is told, with whom to contact', async () => {
    const { deps, clock } = server;
    await configure(server, { contatto: '@lui' });
    const me = await visitor();
    const before = await holder();
    await walkTo(server, secret, stepIndex(me, 'questions', 1));
    await revoke();
    const disconnection = { reason: 'token_revoked', contatto: '@lui' };
    expect(server.messages).toContainEqual({ type: 'disconnected', session_ids: [sessionId], disconnection });
    expect(await guard()).toEqual({ refused: 'DISCONNECTED' });
    for (const refused of [
      await resume(deps, me),
      await reportPosition(deps, me, at(1)),
      await giveAnswers(deps, me, { viaggio: 1, risposta_1: true, risposta_2: true }),
      await complete(deps, me),
    ])
      expect(refused).toEqual({ refused: 'DISCONNECTED' });
    clock.advance(6_000);
    expect(await heartbeat(deps, before)).toEqual({ state: 'disconnected', disconnection });
    expect(await heartbeat(deps, await holder())).toEqual({ state: 'disconnected', disconnection });
    expect(await siteState(deps, await holder())).toMatchObject({ resumable: false, disconnection });
    clock.advance(600_000);
    expect(await siteState(deps, await holder())).toMatchObject({ resumable: false, disconnection: null });
    await reportError(deps, await holder(), 'video');
    expect(
      await server.deps.db.selectFrom('notifications').selectAll().where('type', '=', 'error').execute(),
    ).toEqual([]);
  });

  test('a code switched off in the database alone is respected too', async () => {
    await server.deps.db.updateTable('tokens').set({ attivo: false }).execute();
    expect(await guard()).toEqual({ refused: 'DISCONNECTED' });
    expect(await heartbeat(server.deps, await holder())).toMatchObject({ state: 'disconnected' });
    await server.deps.db.updateTable('tokens').set({ attivo: true }).execute();
  });

  test('revoking and coming back at the same moment never leaves her inside', async () => {
    const { deps, clock, actor } = server;
    for (let round = 0; round < 15; round += 1) {
      const { id, token } = await makeCode(server);
      const entered = await comeIn(server, token, { device_id: `device-2-${round}` });
      const me = await visitorOf(server, entered.secret);
      clock.advance(120_000);
      await sweepSessions(deps);
      const before = Array.from({ length: 4 }, () => resume(deps, me));
      const cut = setTokenActive(deps, actor, { id, attivo: false });
      const after = Array.from({ length: 4 }, () => resume(deps, me));
      await Promise.all([...before, cut, ...after]);
      expect(await resume(deps, me)).toEqual({ refused: 'DISCONNECTED' });
      expect(await checkLaws(deps.db, clock.now())).toEqual([]);
    }
  });

  test('five errors of a visit are passed on', async () => {
    const kinds = ['video', 'video_start', 'loading', 'download', 'video', 'video', 'video'] as const;
    const me = await holder();
    await Promise.all(kinds.map((kind) => reportError(server.deps, me, kind)));
    const told = await server.deps.db
      .selectFrom('notifications')
      .selectAll()
      .where('type', '=', 'error')
      .execute();
    const messages = told.map(({ payload }) => JSON.parse(payload).error_message);
    expect(messages).toHaveLength(5);
    expect(messages).toContain('Errore caricamento video');
  });

  test('media and tickets answer to who has reached them', async () => {
    const me = async () => visitorOf(server, secret);
    const c = FULL_CONFIGURATION;
    const idsAt = async () => {
      const visit = await me();
      const urls = [
        c.video_url,
        c.canzone_url,
        c.immagine_destinazione_url,
        c.biglietti_url,
        c.immagine_destinazione_url_2,
        c.biglietti_url_2,
      ];
      return urls.map((url) => mayReadMedia(visit, mediaIdOf(url) ?? ''));
    };
    expect(await idsAt()).toEqual([true, false, false, false, false, false]);
    expect(ticketUrl(await me(), 1)).toBeNull();
    await walkTo(server, secret, 1);
    expect(await idsAt()).toEqual([true, true, false, false, false, false]);
    await walkTo(server, secret, stepIndex(await me(), 'phrases', 1));
    expect(await idsAt()).toEqual([true, true, true, false, false, false]);
    await walkTo(server, secret, stepIndex(await me(), 'destination', 1));
    expect(await idsAt()).toEqual([true, true, true, true, false, false]);
    expect([ticketUrl(await me(), 1), ticketUrl(await me(), 2)]).toEqual([c.biglietti_url, null]);
    const all = await livingMediaIds(server.deps.db, server.clock.now());
    expect(all).toEqual(new Set(['a', 'b', 'c', 'd', 'e', 'f'].map((sign) => sign.repeat(32))));
    expect(mayReadMedia(await me(), '')).toBe(false);
    server.clock.advance(DAY);
    await sweepSessions(server.deps);
    expect(await livingMediaIds(server.deps.db, server.clock.now())).toEqual(new Set());
  });

  test('asking for the access screen changes nothing', async () => {
    const before = [await row(), await server.deps.db.selectFrom('tokens').selectAll().execute()];
    expect(await siteState(server.deps, null)).toEqual({
      data_laurea: null,
      closed: false,
      resumable: false,
      disconnection: null,
    });
    expect(await siteState(server.deps, await holder())).toMatchObject({ resumable: true });
    await configure(server, { data_laurea: '2027-02-14' });
    expect(await siteState(server.deps, null)).toMatchObject({ data_laurea: '2027-02-14', closed: false });
    expect([await row(), await server.deps.db.selectFrom('tokens').selectAll().execute()]).toEqual(before);
  });

  test('a snapshot that does not fit is an error, not a guess', async () => {
    await server.deps.db.updateTable('active_sessions').set({ snapshot: '{"config":{}}' }).execute();
    await expect(guard()).rejects.toThrow();
  });
});
