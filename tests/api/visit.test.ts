import { randomUUID } from 'node:crypto';
import { call } from '@orpc/server';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
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
import { openTestServer, type TestServer } from '../support/deps.ts';
import { FULL_CONFIGURATION as C, FULL_QUESTIONS, mediaUrl, NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkInvariants } from '../support/invariants.ts';
import { inParallel } from '../support/parallel.ts';
import { at, browserOf, noticesOf, useVisit } from '../support/product.ts';
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

  test('moves its position forward one stage at a time, and never back', async () => {
    const me = await visit.visitor();
    const move = (...to: Parameters<typeof at>) => reportPosition({ ...server.deps, visitor: me }, at(...to));
    expect(await move(2)).toEqual({ refused: 'STEP_REFUSED' });
    expect(await move(99)).toEqual({ refused: 'STEP_REFUSED' });
    expect(await move(0, 1)).toMatchObject({ position: at(0, 1) });
    expect(await move(1, 0, 7.5)).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await move(1, 0, 3)).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await move(0)).toMatchObject({ position: at(1, 0, 7.5) });
    expect(await visit.row()).toMatchObject({ ...at(1, 0, 7.5), exit_point: 'during_pre_phrases' });
    await walkTo(server, visit.secret, 2);
    expect(await visit.row()).toMatchObject({ step: 2, exit_point: 'during_post_phrases' });
    const phrases = Array.from({ length: 60 }, (_, phrase) => (phrase * 37) % 60);
    await inParallel(
      phrases.map((phrase) => () => move(2, phrase)),
      40,
    );
    expect(await visit.row()).toMatchObject({ step: 2, phrase: 59 });
  });

  describe('questions', () => {
    test('stops the visitor until they are answered, and returns the closing phrase with the answers', async () => {
      await configure(server, NO_SECOND_TRIP);
      const entered = await enterOrThrow(server, (await makeCode(server)).token);
      Object.assign(visit, { secret: entered.secret, sessionId: entered.session_id });
      const me = await visit.visitor();
      const step = stepIndex(me, 'questions', 1);
      const tripAnswers = { viaggio: 1 as const, risposta_1: true, risposta_2: false };
      expect(await answer(tripAnswers)).toEqual({ refused: 'ANSWERS_REFUSED' });
      await toQuestions();
      expect(await answer({ ...tripAnswers, viaggio: 2 })).toEqual({ refused: 'ANSWERS_REFUSED' });
      expect(await reportPosition({ ...server.deps, visitor: me }, at(step + 1))).toEqual({
        refused: 'STEP_REFUSED',
      });
      expect(await complete({ ...server.deps, visitor: me }, {})).toEqual({ refused: 'STEP_REFUSED' });
      const closing = { stage: 'closing', viaggio: 1, frase: 'finale-misto', answered: true };
      expect(await answer(tripAnswers)).toMatchObject({
        answers: [tripAnswers],
        complete: true,
        stages: expect.arrayContaining([closing]),
      });
      const { token_value, exit_point } = await visit.row();
      expect(exit_point).toBe('after_checkboxes');
      const domande = [FULL_QUESTIONS.domanda_1, FULL_QUESTIONS.domanda_2];
      expect(await noticesOf(server, 'checkbox_response')).toEqual([
        { type: 'checkbox_response', token_value, nome: 'Per lei', domande, ...tripAnswers },
      ]);
      expect(await answer(tripAnswers)).toMatchObject({ answers: [tripAnswers] });
      expect(await answer({ ...tripAnswers, risposta_2: true })).toEqual({ refused: 'ANSWERS_CONFLICT' });
      expect(await complete({ ...server.deps, visitor: me }, {})).toEqual({ refused: 'STEP_REFUSED' });
      await walkTo(server, visit.secret, step + 1);
      expect(await complete({ ...server.deps, visitor: me }, {})).toEqual({ completed: true });
    });

    test('stores and notifies one of a hundred different concurrent answers', async () => {
      await toQuestions();
      const me = await visit.visitor();
      const posts = Array.from({ length: 100 }, (_, n) => ({
        viaggio: 1 as const,
        risposta_1: n % 2 === 0,
        risposta_2: n % 3 === 0,
      }));
      const results = await inParallel(
        posts.map((post) => async () => ({
          post,
          result: await giveAnswers({ ...server.deps, visitor: me }, post),
        })),
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

    test('admits no visitor who returns at the same moment', async () => {
      const { ctx, deps, clock } = server;
      for (let round = 0; round < 5; round += 1) {
        const { id, token } = await makeCode(server);
        const entered = await enterOrThrow(server, token, { device_id: `device-2-${round}` });
        const me = await visitorOf(server, entered.secret);
        clock.advance(120_000);
        await sweepSessions(deps);
        const before = Array.from({ length: 4 }, () => resume({ ...deps, visitor: me }, {}));
        const cut = setTokenActive(ctx, { id, attivo: false });
        const after = Array.from({ length: 4 }, () => resume({ ...deps, visitor: me }, {}));
        await Promise.all([...before, cut, ...after]);
        expect(await resume({ ...deps, visitor: me }, {})).toEqual({ refused: 'DISCONNECTED' });
        expect(await checkInvariants(deps.db, clock.now())).toEqual([]);
      }
    });
  });

  test('forwards five errors at most', async () => {
    const kinds = ['video', 'video_start', 'loading', 'download', 'video', 'video', 'video'] as const;
    const me = await visit.holder();
    await Promise.all(kinds.map((kind) => reportError({ ...server.deps, holder: me }, { kind })));
    const notices = (await noticesOf(server, 'access')).filter(({ success }) => success === false);
    expect(notices).toHaveLength(5);
    const error_message = 'Errore caricamento video';
    expect(notices).toContainEqual({ type: 'access', success: false, error_message });
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
    expect(await goTo(stepIndex(me, 'questions', 1))).toEqual([4, C.biglietti_url, null]);
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
    const nothing = {
      data_laurea: null,
      keepsake: false,
      privacy_notice: null,
      footer_text: null,
      disconnection: null,
    };
    expect(await site(null)).toEqual({ ...nothing, closed: false, resumable: false });
    expect(await site()).toMatchObject({ resumable: true });
    for (const [data_laurea, closed] of [
      ['2027-02-14', false],
      ['2020-07-01', true],
    ] as const) {
      await configure(server, { data_laurea });
      expect(await site(null)).toMatchObject({ data_laurea, closed });
    }
    // The recipient's name never leaves the server before a code.
    for (const [written, footer_text] of [
      ['{nome}, buon compleanno!', 'Buon compleanno!'],
      ['', ''],
    ] as const) {
      await configure(server, { recipient_name: 'Giulia', footer_text: written });
      expect(await site(null)).toMatchObject({ footer_text });
    }
    expect(await rows()).toEqual(before);
  });
});

describe('evening', () => {
  let server: TestServer | null = null;
  afterEach(async () => server?.close());

  /** Runs every transaction twice, as after an error in the same batch (decision 082). */
  const twice =
    (transactions: InTransaction): InTransaction =>
    (work) =>
      transactions(async (tx) => {
        await sql`savepoint first_time`.execute(tx);
        await work(tx).catch(() => undefined);
        await sql`rollback to first_time`.execute(tx);
        return work(tx);
      });

  const TABLES = [
    ...(['tokens', 'active_sessions', 'visit_snapshots', 'checkbox_responses'] as const),
    ...(['event_logs', 'access_logs', 'notifications', 'rate_limits'] as const),
  ];

  /**
   * Runs an evening with some wrong codes and a revocation. Returns the final number of rows of each table and the
   * messages published.
   */
  async function anEvening(transactions: (plain: InTransaction) => InTransaction) {
    server = await openTestServer(sqliteDatabase);
    const { ctx, deps, clock, messages } = server;
    Object.assign(deps, { inTransaction: transactions(deps.inTransaction) });
    await configure(server);
    const [hers, another] = [await makeCode(server, { max_accessi: 2 }), await makeCode(server)];
    await attemptEntry(server, 'NOBODY', { address: '10.9.9.9' });
    await attemptEntry(server, 'NOBODYS', { address: '10.9.9.9' });
    const { secret } = await enterOrThrow(server, hers.token);
    const cut = await enterOrThrow(server, another.token);
    clock.advance(40_000);
    await heartbeat({ ...deps, holder: await holderOf(server, secret) }, {});
    const visitor = await visitorOf(server, secret);
    await resume({ ...deps, visitor }, {});
    for (const viaggio of [1, 2] as const) {
      await walkTo(server, secret, stepIndex(visitor, 'questions', viaggio));
      await giveAnswers(
        { ...deps, visitor: await visitorOf(server, secret) },
        {
          viaggio,
          risposta_1: true,
          risposta_2: false,
        },
      );
    }
    await walkTo(server, secret, visitor.steps.length - 1);
    const completed = await complete({ ...deps, visitor: await visitorOf(server, secret) }, {});
    await setTokenActive(ctx, { id: another.id, attivo: false });
    const rows = await Promise.all(
      TABLES.map(
        async (table) => (await deps.db.selectFrom(table).select(sql`1`.as('one')).execute()).length,
      ),
    );
    const uses = await deps.db.selectFrom('tokens').select('accessi_usati').execute();
    const state = (await holderOf(server, cut.secret)).state;
    await server.close();
    server = null;
    return { completed, state, uses, rows, told: messages.map(({ type }) => type) };
  }

  test('has the same result if every transaction runs twice', async () => {
    const once = await anEvening((transactions) => transactions);
    expect(once).toMatchObject({ completed: { completed: true }, state: 'disconnected' });
    expect(await anEvening(twice)).toEqual(once);
  });
});
