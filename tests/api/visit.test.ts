import { randomUUID } from 'node:crypto';
import { call } from '@orpc/server';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { mediaIdOf } from '../../src/domain/media.ts';
import { router } from '../../src/server/app.ts';
import type { InTransaction } from '../../src/server/deps.ts';
import { setTokenActive } from '../../src/server/features/tokens/tokens.ts';
import { canReadMedia, referencedMediaIds, ticketUrl } from '../../src/server/features/visit/media-access.ts';
import { heartbeat } from '../../src/server/features/visit/presence.ts';
import { sweepSessions } from '../../src/server/features/visit/sessions.ts';
import { saveSnapshot } from '../../src/server/features/visit/snapshot.ts';
import {
  complete,
  giveAnswers,
  reportError,
  reportPosition,
  resume,
} from '../../src/server/features/visit/visit.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { FULL_CONFIGURATION as C, FULL_QUESTIONS, mediaUrl, NO_SECOND_TRIP } from '../support/evenings.ts';
import { at, browserOf, noticesOf, usesOf, useVisit } from '../support/product.ts';
import { useServer } from '../support/suites.ts';
import {
  attemptEntry,
  configure,
  enterOrThrow,
  holderOf,
  makeCode,
  stepIndex,
  visitorOf,
  walkTo,
} from '../support/visits.ts';

describe('visit', () => {
  const DAY = 24 * 3_600_000;

  const visit = useVisit();
  const { server } = visit;
  const site = (cookie: string | null = visit.secret) =>
    call(router.visit.site, undefined, { context: browserOf(server, cookie) });

  const toQuestions = async (viaggio: 1 | 2 = 1) =>
    walkTo(server, visit.secret, stepIndex(await visit.visitor(), 'questions', viaggio));
  const answer = async (tripAnswers: Parameters<typeof giveAnswers>[1]) =>
    giveAnswers({ ...server.deps, visitor: await visit.visitor() }, tripAnswers);
  /** Answers the questions of both trips and continues to the last stage. */
  async function walkToTheEnd(): Promise<void> {
    for (const viaggio of [1, 2] as const) {
      await toQuestions(viaggio);
      await answer({ viaggio, risposta_1: true, risposta_2: viaggio === 1 });
    }
    await walkTo(server, visit.secret, (await visit.visitor()).steps.length - 1);
  }

  test('is refused without a cookie or with an unknown one', async () => {
    const { cookie_hash } = await visit.row();
    for (const cookie of [null, 'x'.repeat(43), `${visit.secret.slice(0, -1)}!`, cookie_hash])
      expect(await visit.guard(cookie)).toEqual({ refused: 'NO_VISIT' });
  });

  test('reveals only the first stages at the beginning', async () => {
    const seen = await resume({ ...server.deps, visitor: await visit.visitor() }, {});
    expect(seen).toMatchObject({
      session_id: visit.sessionId,
      position: at(0),
      complete: false,
      answers: [],
      canzone_url: null,
      stages: { length: 2 },
    });
    const text = JSON.stringify(seen);
    expect(text).toContain('prima-uno');
    expect(text).toContain(C.video_url);
    expect(text).not.toMatch(/dopo-uno|meta|biglietti|domanda|finale|secondo|addio/);
  });

  test('stores its position, which moves forward only, with its exit point', async () => {
    const me = await visit.visitor();
    const move = (...to: Parameters<typeof at>) => reportPosition({ ...server.deps, visitor: me }, at(...to));
    expect(await move(2)).toEqual({ refused: 'STEP_REFUSED' });
    expect(await move(1, 0, 7.5)).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await move(0)).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await visit.row()).toMatchObject({ ...at(1, 0, 7.5), exit_point: 'during_pre_phrases' });
    await walkTo(server, visit.secret, 2);
    expect(await visit.row()).toMatchObject({ step: 2, exit_point: 'during_post_phrases' });
  });

  describe('questions', () => {
    test('stop the visitor until they are answered, and notify', async () => {
      await toQuestions();
      const me = await visit.visitor();
      const tripAnswers = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
      const next = at(me.position.step + 1);
      expect(await reportPosition({ ...server.deps, visitor: me }, next)).toEqual({
        refused: 'STEP_REFUSED',
      });
      expect(await answer({ ...tripAnswers, viaggio: 2 })).toEqual({ refused: 'ANSWERS_REFUSED' });
      expect(await answer(tripAnswers)).toMatchObject({ answers: [tripAnswers] });
      const { token_value, exit_point } = await visit.row();
      expect(exit_point).toBe('after_checkboxes');
      expect(await answer(tripAnswers)).toMatchObject({ answers: [tripAnswers] });
      expect(await answer({ ...tripAnswers, risposta_2: true })).toEqual({ refused: 'ANSWERS_CONFLICT' });
      const domande = [FULL_QUESTIONS.domanda_1, FULL_QUESTIONS.domanda_2];
      expect(await noticesOf(server, 'checkbox_response')).toEqual([
        { type: 'checkbox_response', token_value, nome: 'Per lei', domande, ...tripAnswers },
      ]);
      expect(await complete({ ...server.deps, visitor: me }, {})).toEqual({ refused: 'STEP_REFUSED' });
      expect(await reportPosition({ ...server.deps, visitor: me }, next)).toMatchObject({ position: next });
    });

    test('stores and notifies one of many different concurrent answers', async () => {
      await toQuestions();
      const me = await visit.visitor();
      const posts = [true, false].flatMap((risposta_1) =>
        [true, false].map((risposta_2) => ({ viaggio: 1 as const, risposta_1, risposta_2 })),
      );
      const results = await Promise.all(
        [...posts, ...posts].map((post) => giveAnswers({ ...server.deps, visitor: me }, post)),
      );
      const [first, ...others] = await server.deps.db.selectFrom('checkbox_responses').selectAll().execute();
      expect(others).toEqual([]);
      const given = results.flatMap((result) => ('answers' in result ? result.answers : []));
      expect(given).toHaveLength(2);
      for (const answers of given) expect(first).toMatchObject(answers);
      expect(await noticesOf(server, 'checkbox_response')).toHaveLength(1);
    });
  });

  test('notifies at the end of a whole evening with two trips, and then allows nothing more', async () => {
    const { deps } = server;
    await walkToTheEnd();
    const me = await visit.visitor();
    expect(await resume({ ...deps, visitor: me }, {})).toMatchObject({
      complete: true,
      stages: { length: me.steps.length },
    });
    expect(await complete({ ...deps, visitor: me }, {})).toEqual({ completed: true });
    const row = await visit.row();
    expect(row).toMatchObject({
      is_active: false,
      disconnection_reason: 'user_logout',
      completed_at: server.clock.now().toISOString(),
    });
    expect(await visit.events('session_ended')).toEqual([
      { session_id: visit.sessionId, reason: 'user_logout', exit_point: 'after_checkboxes', completed: true },
    ]);
    expect(await noticesOf(server, 'visit_%')).toEqual([
      { type: 'visit_completed', token_value: row.token_value, nome: 'Per lei' },
    ]);
    for (const refused of [
      await visit.guard(),
      await resume({ ...deps, visitor: me }, {}),
      await complete({ ...deps, visitor: me }, {}),
    ])
      expect(refused).toEqual({ refused: 'VISIT_ENDED' });
    const holder = await visit.holder();
    expect(await heartbeat({ ...deps, holder }, {})).toEqual({ state: 'ended', disconnection: null });
    expect(await site()).toMatchObject({ resumable: false, disconnection: null });
    expect(await referencedMediaIds(deps.db, server.clock.now())).toEqual(new Set());
  });

  test('has one cookie from the code to the end, and none after it', async () => {
    await configure(server, NO_SECOND_TRIP, { domanda_1: null });
    const context = browserOf(server);
    const { cookies } = context;
    const { token } = await makeCode(server);
    const code = { token, attempt_id: randomUUID(), device_id: 'device-1-b' };
    const entered = await call(router.visit.enter, code, { context });
    expect(entered).toMatchObject({ token_value: token, resumed: false });
    const secret = cookies.visit ?? '';
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await call(router.visit.site, undefined, { context })).toMatchObject({ resumable: true });
    expect(await call(router.visit.resume, {}, { context })).toEqual(entered.visit);
    await walkTo(server, secret, (await visitorOf(server, secret)).steps.length - 1);
    for (let times = 0; times < 2; times += 1) {
      cookies.visit = secret;
      expect(await call(router.visit.complete, {}, { context })).toEqual({});
      expect([cookies.visit, context.cleared]).toEqual([null, times + 1]);
    }
  });

  test('shows the configuration it began with, and fails if that is invalid', async () => {
    const changed = { frasi_pre_video: ['cambiata'], video_url: mediaUrl('7', 'mp4'), frasi: [] };
    await configure(server, changed, { domanda_1: null });
    const me = await visit.visitor();
    expect(me.snapshot).toMatchObject({ config: C, questions: FULL_QUESTIONS });
    expect(JSON.stringify(await resume({ ...server.deps, visitor: me }, {}))).toContain('prima-uno');
    await saveSnapshot(server.deps.db, { hash: 'unfit', body: '{"config":{}}' });
    await server.deps.db.updateTable('active_sessions').set({ snapshot_hash: 'unfit' }).execute();
    await expect(visit.guard()).rejects.toThrow();
  });

  describe('revoked code', () => {
    test('refuses everything, and sends the reason and the contact for ten minutes', async () => {
      const { deps, clock } = server;
      await configure(server, { contatto: '{nome}, scrivi a @lui', recipient_name: 'Giulia' });
      const me = await visit.visitor();
      const before = await visit.holder();
      await toQuestions();
      await visit.revoke();
      const disconnection = { reason: 'token_revoked', contatto: 'Giulia, scrivi a @lui' };
      expect(server.messages).toContainEqual({
        type: 'disconnected',
        session_ids: [visit.sessionId],
        disconnection,
      });
      for (const refused of [
        await visit.guard(),
        await resume({ ...deps, visitor: me }, {}),
        await reportPosition({ ...deps, visitor: me }, at(1)),
        await giveAnswers({ ...deps, visitor: me }, { viaggio: 1, risposta_1: true, risposta_2: true }),
        await complete({ ...deps, visitor: me }, {}),
      ])
        expect(refused).toEqual({ refused: 'DISCONNECTED' });
      clock.advance(6_000);
      for (const holder of [before, await visit.holder()])
        expect(await heartbeat({ ...deps, holder }, {})).toEqual({ state: 'disconnected', disconnection });
      clock.advance(593_999);
      expect(await site()).toMatchObject({ resumable: false, disconnection });
      clock.advance(1);
      expect(await site()).toMatchObject({ resumable: false, disconnection: null });
      const notices = (await noticesOf(server)).length;
      await reportError({ ...deps, holder: await visit.holder() }, { kind: 'video' });
      expect(await noticesOf(server)).toHaveLength(notices);
    });

    test('is respected if only the database has it', async () => {
      await server.deps.db.updateTable('tokens').set({ attivo: false }).execute();
      expect(await visit.guard()).toEqual({ refused: 'DISCONNECTED' });
      expect(await heartbeat({ ...server.deps, holder: await visit.holder() }, {})).toMatchObject({
        state: 'disconnected',
      });
      await server.deps.db.updateTable('tokens').set({ attivo: true }).execute();
    });
  });

  test('forwards five errors at most', async () => {
    const holder = await visit.holder();
    for (let n = 0; n < 7; n += 1) await reportError({ ...server.deps, holder }, { kind: 'video' });
    const failed = { type: 'access', success: false, error_message: 'Errore caricamento video' };
    const notices = (await noticesOf(server, 'access')).filter(({ success }) => success === false);
    expect(notices).toEqual(Array.from({ length: 5 }, () => failed));
  });

  test('opens the media and tickets that it has reached, for a day', async () => {
    const { deps, clock } = server;
    const { video_url, canzone_url, immagine_destinazione_url, biglietti_url } = C;
    const urls = [video_url, canzone_url, immagine_destinazione_url, biglietti_url];
    urls.push(C.immagine_destinazione_url_2, C.biglietti_url_2);
    const reached = async () => {
      const me = await visit.visitor();
      const open = urls.filter((url) => canReadMedia(me, mediaIdOf(url) ?? '')).length;
      return [open, ticketUrl(me, 1), ticketUrl(me, 2)];
    };
    const goTo = async (step: number) => {
      await walkTo(server, visit.secret, step);
      return reached();
    };
    const me = await visit.visitor();
    expect(await goTo(0)).toEqual([1, null, null]);
    expect(await goTo(1)).toEqual([2, null, null]);
    const started = await visit.visitor();
    const config = { ...started.snapshot.config, canzone_inizio_secondi: 12 };
    const later = { ...started, snapshot: { ...started.snapshot, config } };
    expect(canReadMedia(later, mediaIdOf(C.canzone_url) ?? '')).toBe(true);
    expect(await goTo(stepIndex(me, 'phrases', 1))).toEqual([3, null, null]);
    expect(await goTo(stepIndex(me, 'destination', 1))).toEqual([4, C.biglietti_url, null]);
    await walkToTheEnd();
    expect(await reached()).toEqual([6, C.biglietti_url, C.biglietti_url_2]);
    expect(canReadMedia(await visit.visitor(), '')).toBe(false);
    const living = () => referencedMediaIds(deps.db, clock.now());
    expect(await living()).toEqual(new Set(urls.map((url) => mediaIdOf(url))));
    clock.advance(DAY);
    await sweepSessions(deps);
    expect(await living()).toEqual(new Set());
  });

  test('is not changed by a request for the access screen', async () => {
    const rows = async () => [
      await visit.row(),
      await server.deps.db.selectFrom('tokens').selectAll().execute(),
    ];
    const before = await rows();
    const texts = { data_laurea: null, privacy_notice: null, footer_text: null };
    const nothing = { ...texts, closed: false, resumable: false, keepsake: false, disconnection: null };
    expect(await site(null)).toEqual(nothing);
    expect(await site()).toMatchObject({ resumable: true });
    // The recipient's name never leaves the server before a code.
    const footer_text = '{nome}, buon compleanno!';
    await configure(server, { data_laurea: '2020-07-01', recipient_name: 'Giulia', footer_text });
    const closed = { data_laurea: '2020-07-01', closed: true, footer_text: 'Buon compleanno!' };
    expect(await site(null)).toMatchObject(closed);
    expect(await rows()).toEqual(before);
  });
});

describe('evening', () => {
  const server = useServer(sqliteDatabase);

  test('has the same result if every transaction runs twice', async () => {
    const { ctx, deps, clock, messages } = server;
    const { inTransaction } = deps;
    // As after an error in the same batch (decision 082).
    const twice: InTransaction = (work) =>
      inTransaction(async (tx) => {
        await sql`savepoint first_time`.execute(tx);
        await work(tx).catch(() => undefined);
        await sql`rollback to first_time`.execute(tx);
        return work(tx);
      });
    Object.assign(deps, { inTransaction: twice });
    const [hers, another] = [await makeCode(server, { max_accessi: 2 }), await makeCode(server)];
    for (const wrong of ['NOBODY', 'NOBODYS']) await attemptEntry(server, wrong, { address: '10.9.9.9' });
    const { secret } = await enterOrThrow(server, hers.token);
    const cut = await enterOrThrow(server, another.token);
    clock.advance(40_000);
    await heartbeat({ ...deps, holder: await holderOf(server, secret) }, {});
    const visitor = await visitorOf(server, secret);
    await resume({ ...deps, visitor }, {});
    for (const viaggio of [1, 2] as const) {
      await walkTo(server, secret, stepIndex(visitor, 'questions', viaggio));
      await giveAnswers({ ...deps, visitor }, { viaggio, risposta_1: true, risposta_2: false });
    }
    await walkTo(server, secret, visitor.steps.length - 1);
    expect(await complete({ ...deps, visitor }, {})).toEqual({ completed: true });
    await setTokenActive(ctx, { id: another.id, attivo: false });
    expect((await holderOf(server, cut.secret)).state).toBe('disconnected');
    expect([await usesOf(server, hers.id), await usesOf(server, another.id)]).toEqual([1, 1]);
    expect((await noticesOf(server)).map(({ type }) => type).toSorted()).toEqual([
      'access',
      'access',
      'access',
      'access',
      'checkbox_response',
      'checkbox_response',
      'visit_completed',
    ]);
    const counters = await deps.db.selectFrom('rate_limits').select('points').execute();
    expect(counters).toEqual([{ points: 2 }]);
    expect(messages.filter(({ type }) => type === 'disconnected')).toHaveLength(1);
  });
});
