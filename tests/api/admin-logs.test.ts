import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventSchema, FILTERED_EVENTS } from '../../src/contract/admin/logs.ts';
import { type EventType, insertEvents } from '../../src/server/event-log/event-log.repo.ts';
import { listLogs } from '../../src/server/features/logs/logs.service.ts';
import { listAnswers } from '../../src/server/features/questions/questions.service.ts';
import { giveAnswers } from '../../src/server/features/visit/answers.service.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { FULL_QUESTIONS } from '../support/evenings.ts';
import { comeIn, configure, makeCode, stepIndex, tryToEnter, visitorOf, walkTo } from '../support/visits.ts';

const eventOf = (event_type: string, metadata: Record<string, string> = {}) => ({
  event_type: event_type as EventType,
  token_id: null,
  token_value: null,
  device_id: null,
  user_agent: null,
  success: true,
  metadata,
});

describe('the list of events', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await openTestServer(sqliteDatabase);
  });
  afterEach(() => server.close());

  const list = (event_type?: (typeof FILTERED_EVENTS)[number]) =>
    listLogs(server.deps, server.actor, { event_type });
  const insert = (...events: ReturnType<typeof eventOf>[]) =>
    insertEvents(server.deps.db, events, server.clock.now());

  test('is empty while nothing happened', async () => {
    expect(await list()).toEqual({ eventi: [], totale: 0, solo_contati: 0 });
  });

  test('has the latest hundred, newest first, and the count of all', async () => {
    for (let n = 0; n < 130; n += 1) {
      server.clock.advance(1_000);
      await insert(eventOf('session_ended', { n: String(n) }));
    }
    const { eventi, totale } = await list();
    expect(totale).toBe(130);
    expect(eventi.map(({ metadata }) => metadata.n)).toEqual(
      Array.from({ length: 100 }, (_, index) => String(129 - index)),
    );
  });

  test('keeps the order of what was written in one moment', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `event_${n}`);
    await insert(...names.slice(0, 30).map((name) => eventOf(name)));
    await insert(...names.slice(30).map((name) => eventOf(name)));
    expect((await list()).eventi.map(({ event_type }) => event_type)).toEqual(names.toReversed());
  });

  test('filters by each of the five kinds, and counts that kind', async () => {
    for (const type of [...FILTERED_EVENTS, 'token_created', 'token_revoked', 'access_denied'])
      await insert(eventOf(type));
    for (const type of FILTERED_EVENTS) {
      const { eventi, totale } = await list(type);
      expect(new Set(eventi.map(({ event_type }) => event_type))).toEqual(new Set([type]));
      expect([eventi.length, totale]).toEqual(type === 'access_denied' ? [2, 2] : [1, 1]);
    }
    expect((await list()).totale).toBe(8);
  });

  test('shows an unknown kind as it is, and nothing of metadata that is no object', async () => {
    await insert(eventOf('qualcosa_di_nuovo', { a: 'b' }));
    for (const metadata of ['{', '[1]', 'null', '7', '"testo"']) {
      await server.deps.db.updateTable('event_logs').set({ metadata }).execute();
      const { eventi } = await list();
      expect(eventi).toMatchObject([{ event_type: 'qualcosa_di_nuovo', metadata: {} }]);
      expect(eventSchema.safeParse(eventi[0]).success).toBe(true);
    }
  });

  test('tells a whole evening', async () => {
    await configure(server);
    const token = await makeCode(server);
    server.clock.advance(1_000);
    await comeIn(server, token.token, { device_id: 'device-1-abc' });
    server.clock.advance(1_000);
    await tryToEnter(server, token.token);
    const { eventi } = await list();
    expect(eventi.map(({ event_type }) => event_type)).toEqual([
      'access_denied',
      'session_started',
      'access_granted',
      'token_created',
    ]);
    expect(eventi[0]).toEqual({
      id: expect.any(String),
      event_type: 'access_denied',
      token_value: token.token,
      device_id: expect.stringMatching(/^device-/),
      user_agent: 'Mozilla/5.0 (iPhone)',
      success: false,
      error_message: 'Codice già utilizzato il numero massimo di volte',
      metadata: { reason: 'token_exhausted' },
      created_at: '2027-02-14T19:00:02.000Z',
    });
  });
});

describe('the received answers', () => {
  test('are those of both trips, newest first, with the questions that were asked', async () => {
    const server = await openTestServer(sqliteDatabase);
    await configure(server);
    const { token } = await makeCode(server);
    expect(await listAnswers(server.deps, server.actor)).toEqual([]);
    const { secret, session_id } = await comeIn(server, token);
    for (const viaggio of [1, 2] as const) {
      await walkTo(server, secret, stepIndex(await visitorOf(server, secret), 'questions', viaggio));
      server.clock.advance(1_000);
      server.messages.length = 0;
      const given = { viaggio, risposta_1: true, risposta_2: viaggio === 1 };
      await giveAnswers(server.deps, await visitorOf(server, secret), given);
      expect(server.messages).toEqual([{ type: 'changed', topics: ['sessions', 'answers'] }]);
      // What is asked of who comes next changes nothing.
      await configure(server, {}, { domanda_1: 'oggi-uno?', domanda_1_viaggio_2: null });
    }
    const { domanda_1, domanda_2, domanda_1_viaggio_2, domanda_2_viaggio_2 } = FULL_QUESTIONS;
    const asked = (viaggio: 1 | 2) =>
      viaggio === 1
        ? { domanda_1, domanda_2 }
        : { domanda_1: domanda_1_viaggio_2, domanda_2: domanda_2_viaggio_2 };
    const answer = {
      id: expect.any(String),
      session_id,
      token_value: token,
      risposta_1: true,
    };
    expect(await listAnswers(server.deps, server.actor)).toEqual([
      { ...answer, ...asked(2), viaggio: 2, risposta_2: false, created_at: '2027-02-14T19:00:02.000Z' },
      { ...answer, ...asked(1), viaggio: 1, risposta_2: true, created_at: '2027-02-14T19:00:01.000Z' },
    ]);
    await server.close();
  });
});
