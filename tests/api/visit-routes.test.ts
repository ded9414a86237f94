import { randomUUID } from 'node:crypto';
import { Socket } from 'node:net';
import { call, ORPCError } from '@orpc/server';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RequestContext } from '../../src/server/http/orpc.ts';
import { tooMany } from '../../src/server/limits/attempts.ts';
import { router } from '../../src/server/router.ts';
import { sqliteDatabase } from '../support/databases.ts';
import { openTestServer, type TestServer } from '../support/deps.ts';
import { NO_SECOND_TRIP } from '../support/evenings.ts';
import { checkLaws } from '../support/laws.ts';
import { configure, makeCode, walkTo } from '../support/visits.ts';

/** A browser as the calls see it: it keeps the cookie it is given. */
type Browser = { context: RequestContext; cleared: string[] };

function browserOf({ deps }: TestServer, address = '192.0.2.1'): Browser {
  const cleared: string[] = [];
  const cookies: RequestContext['cookies'] = {
    visit: null,
    rehearsal: null,
    diagnosis: null,
    keepsake: null,
  };
  const context: RequestContext = {
    deps,
    request_id: randomUUID(),
    address,
    user_agent: 'Mozilla/5.0',
    connection: new Socket(),
    cookies,
    headers: new Headers(),
    setVisitCookie: (secret) => void (cookies.visit = secret),
    clearVisitCookie: () => void (cookies.visit = null),
    setPassCookie: (of, pass) => void (cookies[of] = pass),
    clearPassCookie: (of) => void (cookies[of] = null),
    clearSiteData: () => void cleared.push('cache'),
  };
  return { context, cleared };
}

async function refusalOf(answer: Promise<unknown>) {
  const error = await answer.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ORPCError)) throw error ?? new Error('it was answered');
  return { code: error.code, status: error.status, data: error.data, defined: error.defined };
}

describe('the visitor’s calls', () => {
  let server: TestServer;
  let browser: Browser;

  beforeEach(async () => {
    server = await openTestServer(sqliteDatabase);
    await configure(server, { ...NO_SECOND_TRIP, contatto: '@lui' }, { domanda_1: null });
    browser = browserOf(server);
  });

  afterEach(async () => {
    expect(await checkLaws(server.deps.db, server.clock.now())).toEqual([]);
    await server.close();
  });

  const enter = (token: string) =>
    call(
      router.visit.enter,
      { token, attempt_id: randomUUID(), device_id: 'device-1-a' },
      { context: browser.context },
    );

  test('from the code to the end, with nothing left in the browser', async () => {
    const { context } = browser;
    const { id, token } = await makeCode(server);
    expect(await call(router.visit.site, undefined, { context })).toMatchObject({ resumable: false });
    const entered = await enter(token);
    expect(entered).toMatchObject({ token_id: id, token_value: token, resumed: false });
    const { visit: secret } = context.cookies;
    expect(secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(await call(router.visit.site, undefined, { context })).toMatchObject({ resumable: true });
    const visit = await call(router.visit.resume, {}, { context });
    expect(visit).toMatchObject({ token_id: id, position: { step: 0 } });
    expect(entered.visit).toEqual(visit);
    expect(await call(router.visit.position, { step: 1, phrase: 0, second: 2.5 }, { context })).toMatchObject(
      { position: { step: 1 } },
    );
    expect(await call(router.visit.heartbeat, {}, { context })).toEqual({
      state: 'open',
      disconnection: null,
    });
    const exit = {
      state: 'background',
      exitPoint: 'during_pre_phrases',
      timestamp: '2001-01-01T00:00:00Z',
      seq: 0,
    } as const;
    expect(await call(router.visit.trackUserExit, exit, { context })).toBeUndefined();
    expect(await call(router.visit.reportError, { kind: 'video' }, { context })).toEqual({});
    await walkTo(server, secret ?? '', 5);
    expect(await call(router.visit.complete, {}, { context })).toEqual({});
    expect([context.cookies.visit, browser.cleared]).toEqual([null, ['cache']]);
    context.cookies.visit = secret;
    expect(await call(router.visit.complete, {}, { context })).toEqual({});
    context.cookies.visit = secret;
    expect(await refusalOf(call(router.visit.resume, {}, { context }))).toMatchObject({
      code: 'VISIT_ENDED',
      status: 403,
    });
  });

  test('refusals are the contract’s, with the seconds to wait', async () => {
    expect(await refusalOf(enter(''))).toEqual({
      code: 'CODE_EMPTY',
      status: 400,
      data: {},
      defined: true,
    });
    expect(await refusalOf(enter('ROM-SBAGLIATO'))).toMatchObject({ code: 'CODE_INVALID', status: 403 });
    browser.context.deps = {
      ...server.deps,
      tries: { ...server.deps.tries, run: async () => tooMany(9_500) },
    };
    expect(await refusalOf(enter('ROM-SBAGLIATO'))).toEqual({
      code: 'TOO_MANY_ATTEMPTS',
      status: 429,
      data: { secondi: 10 },
      defined: true,
    });
    expect(browser.context.cookies.visit).toBeNull();
  });

  test('without a visit nothing answers but the access screen', async () => {
    const { context } = browser;
    const { visit } = router;
    const exit = {
      state: 'closed',
      exitPoint: 'during_pre_phrases',
      timestamp: '2027-01-01T00:00:00Z',
      seq: 0,
    } as const;
    const answers = { viaggio: 1, risposta_1: true, risposta_2: true } as const;
    for (const answer of [
      call(visit.resume, {}, { context }),
      call(visit.position, { step: 0, phrase: 0, second: 0 }, { context }),
      call(visit.heartbeat, {}, { context }),
      call(visit.answers, answers, { context }),
      call(visit.complete, {}, { context }),
      call(visit.trackUserExit, exit, { context }),
      call(visit.reportError, { kind: 'video' }, { context }),
    ])
      expect(await refusalOf(answer)).toEqual({
        code: 'NO_VISIT',
        status: 401,
        data: {},
        defined: true,
      });
  });

  test('jumping ahead and answering unasked are refused', async () => {
    const { context } = browser;
    const { token } = await makeCode(server);
    await enter(token);
    const jump = call(router.visit.position, { step: 3, phrase: 0, second: 0 }, { context });
    expect(await refusalOf(jump)).toMatchObject({ code: 'STEP_REFUSED', status: 409 });
    const unasked = call(
      router.visit.answers,
      { viaggio: 1, risposta_1: true, risposta_2: true },
      { context },
    );
    expect(await refusalOf(unasked)).toMatchObject({ code: 'ANSWERS_REFUSED', status: 409 });
    expect(await refusalOf(call(router.visit.complete, {}, { context }))).toMatchObject({
      code: 'STEP_REFUSED',
    });
  });

  test('the administrator makes, revokes and deletes a code; the holder hears it everywhere', async () => {
    const { context } = browser;
    const made = await call(router.admin.tokens.create, { nome: 'Per lei' }, { context });
    await enter(made.token);
    expect(
      await call(router.admin.tokens.setActive, { id: made.id, attivo: false }, { context }),
    ).toMatchObject({ attivo: false });
    expect(await refusalOf(call(router.visit.resume, {}, { context }))).toMatchObject({
      code: 'DISCONNECTED',
      status: 403,
    });
    const disconnection = { reason: 'token_revoked', contatto: '@lui' };
    expect(await call(router.visit.heartbeat, {}, { context })).toEqual({
      state: 'disconnected',
      disconnection,
    });
    expect(await call(router.visit.site, undefined, { context })).toMatchObject({ disconnection });
    expect(await call(router.admin.tokens.remove, { id: made.id }, { context })).toEqual({
      bin: expect.any(String),
    });
    expect(await call(router.visit.heartbeat, {}, { context })).toMatchObject({
      disconnection: { reason: 'token_deleted' },
    });
    const again = call(router.admin.tokens.remove, { id: made.id }, { context });
    expect(await refusalOf(again)).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    expect(await refusalOf(call(router.admin.tokens.create, { nome: ' ' }, { context }))).toMatchObject({
      code: 'NAME_REQUIRED',
    });
  });

  test('nobody who isn’t signed in reads or changes anything of the administrator’s', async () => {
    const deps = { ...server.deps, auth: { ...server.deps.auth, readSession: async () => null } };
    const context = { ...browser.context, deps };
    const { config, questions, tokens } = router.admin;
    const id = randomUUID();
    for (const answer of [
      call(config.read, undefined, { context }),
      call(config.save, { versione: 0, fields: {} }, { context }),
      call(questions.read, undefined, { context }),
      call(questions.save, { versione: 0, fields: {} }, { context }),
      call(tokens.list, undefined, { context }),
      call(tokens.create, { nome: 'x' }, { context }),
      call(tokens.setActive, { id, attivo: true }, { context }),
      call(tokens.remove, { id }, { context }),
    ])
      expect(await refusalOf(answer)).toMatchObject({ code: 'SIGN_IN_REQUIRED', status: 401 });
  });
});
