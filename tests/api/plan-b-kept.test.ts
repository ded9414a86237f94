import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PLAN_B_PASS } from '../../src/domain/plan-b.ts';
import { sealAnswers } from '../../src/sealed/answers.ts';
import { bringAnswers, siteKey } from '../../src/server/features/plan-b/kept-answers.service.ts';
import { listAnswers } from '../../src/server/features/questions/questions.service.ts';
import { listSessions } from '../../src/server/features/sessions/session-list.service.ts';
import { removeToken, setTokenActive } from '../../src/server/features/tokens/tokens.service.ts';
import { notificationText } from '../../src/texts/notifications.ts';
import { eachDatabase } from '../support/databases.ts';
import { createClock, openTestServer } from '../support/deps.ts';
import { FULL_QUESTIONS } from '../support/evenings.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { planBFile, sealEvening } from '../support/plan-b.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { configure, makeCode } from '../support/visits.ts';

const codeOf = ({ body }: Answered) => body?.codice;

describe('a phone that keeps the sealed evening', () => {
  let server: TestServer;
  let evening: Evening;
  const clock = createClock(new Date().toISOString());
  beforeAll(async () => {
    server = await startServer({ now: clock.now });
    evening = await prepareEvening(server);
  });
  afterAll(() => server.stop());

  const asAdmin = (method: string, path: string, body?: unknown) =>
    call(server.url, method, path, body, { cookie: evening.admin });
  const state = async () => ok(await asAdmin('GET', '/admin/plan-b')).body;
  const given = async (nome = 'Il telefono di Giulia') =>
    ok(await asAdmin('POST', '/admin/plan-b/pass', { nome })).body;
  const bring = (pass: string) => call(server.url, 'POST', '/plan-b/enter', { pass });
  const kept = (cookie: string, version: string | null = null) =>
    call(server.url, 'POST', '/plan-b/kept', { version }, { cookie });
  const evenings = (cookie: string) => fetch(`${server.url}/api/plan-b/evening.bin`, { headers: { cookie } });

  test('comes in with a pass, is told what there is, and is listed with what it keeps', async () => {
    const { pass, ...phone } = await given('  Il telefono di Giulia ');
    expect(Date.parse(phone.scadenza)).toBe(clock.now().getTime() + PLAN_B_PASS.lifeMs);
    expect((await state()).phones).toMatchObject([
      { id: phone.id, nome: 'Il telefono di Giulia', seen_at: null, keeps: 'nothing' },
    ]);
    const entered = ok(await bring(pass));
    const [cookie = ''] = entered.headers.getSetCookie();
    expect(cookie).toMatch(/^pianob=/);
    expect(cookie).toContain('Path=/api/plan-b');
    expect(cookie).toContain('HttpOnly');
    expect(ok(await kept(entered.cookie)).body).toMatchObject({ version: null });
    expect((await evenings(entered.cookie)).status).toBe(404);

    await sealEvening({ url: server.url, cookie: evening.admin });
    const { version, key } = ok(await kept(entered.cookie)).body;
    expect(Buffer.from(key, 'base64url')).toHaveLength(65);
    const blob = await evenings(entered.cookie);
    expect(blob.headers.get('etag')).toBe(`"${version}"`);
    expect(blob.headers.get('cache-control')).toBe('private, no-store');
    // The very bytes that lie in the file.
    const bytes = Buffer.from(await blob.arrayBuffer());
    expect(bytes).toHaveLength((await state()).plan.size);
    const file = await planBFile({ url: server.url, cookie: evening.admin });
    expect(file.includes(bytes.subarray(0, 300).toString('base64'))).toBe(true);

    ok(await kept(entered.cookie, version));
    expect((await state()).phones).toMatchObject([{ keeps: 'current', seen_at: clock.now().toISOString() }]);
    const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
    const save = async (frasi: string[], at: number) =>
      ok(await asAdmin('PATCH', '/admin/config', { versione: at, fields: { frasi } })).body.versione;
    const next = await save(['Altro'], versione);
    expect((await state()).phones).toMatchObject([{ keeps: 'old' }]);
    await save(['Dopo'], next);
    expect(server.logged()).not.toContain(pass);
  });

  test('is refused with a pass that is forged, of another purpose, replaced or taken back', async () => {
    const first = await given();
    const cookie = ok(await bring(first.pass)).cookie;
    const sealed = (purpose: string, claim: string) =>
      `${claim}.${createHmac('sha256', server.deps.secret).update(`${purpose}:${claim}`).digest('base64url')}`;
    const claim = `${Date.parse(first.scadenza)}.${first.id}`;
    expect((await bring(sealed('plan_b', claim))).status).toBe(200);
    const other = ok(await asAdmin('POST', '/admin/diagnosis/pass', {})).body.pass;
    for (const pass of [sealed('diagnosis', claim), other, `${claim}.`, 'x', ''])
      expect([pass, codeOf(await bring(pass))]).toEqual([pass, 'PLAN_B_OVER']);
    // It opens nothing else.
    expect((await call(server.url, 'GET', '/admin/plan-b', undefined, { cookie })).status).toBe(401);
    expect((await call(server.url, 'GET', '/diagnosis', undefined, { cookie })).status).toBe(401);

    const second = await given();
    expect(codeOf(await kept(cookie))).toBe('PLAN_B_OVER');
    const later = ok(await bring(second.pass)).cookie;
    expect((await asAdmin('DELETE', `/admin/plan-b/pass/${second.id}`)).status).toBe(200);
    expect(codeOf(await asAdmin('DELETE', `/admin/plan-b/pass/${second.id}`))).toBe('NOT_FOUND');
    expect(codeOf(await kept(later))).toBe('PLAN_B_OVER');
    expect((await evenings(later)).status).toBe(401);
  });

  test('has to let go once the site has closed', async () => {
    const cookie = ok(await bring((await given()).pass)).cookie;
    const closeOn = async (data_laurea: string | null) => {
      const { versione } = ok(await asAdmin('GET', '/admin/config')).body;
      ok(await asAdmin('PATCH', '/admin/config', { versione, fields: { data_laurea } }));
    };
    await closeOn('2020-01-01');
    expect(codeOf(await kept(cookie))).toBe('PLAN_B_OVER');
    await closeOn(null);
    expect((await kept(cookie)).status).toBe(200);
  });

  test('finds its worker at one address, below which alone it works', async () => {
    const page = await fetch(`${server.url}/piano-b/`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self' blob:");
    expect(policy).not.toMatch(/https?:|\*|'unsafe-inline'|'unsafe-eval'/);
    expect(await page.text()).not.toContain('data-sealed="');
    const worker = await fetch(`${server.url}/piano-b/worker.js`);
    expect(worker.headers.get('content-type')).toContain('text/javascript');
    expect(worker.headers.get('service-worker-allowed')).toBeNull();
    for (const elsewhere of ['/plan-b.worker', '/worker.js', '/piano-b/plan-b.worker'])
      expect((await fetch(`${server.url}${elsewhere}`)).status).toBe(404);
    const way = await fetch(`${server.url}/piano-b`, { redirect: 'manual' });
    expect([way.status, way.headers.get('location')]).toEqual([308, '/piano-b/']);
  });
});

describe.each(eachDatabase)('answers of a sealed evening, on %s', (_name, open) => {
  async function prepared() {
    const server = await openTestServer(open);
    await configure(server);
    const code = await makeCode(server);
    const told = {
      id: randomUUID(),
      token_id: code.id,
      started_at: server.clock.now().toISOString(),
      completed_at: null as string | null,
      questions: { ...FULL_QUESTIONS, domanda_1: 'Chiesto allora?' },
      answers: [{ viaggio: 1, risposta_1: true, risposta_2: false }],
    };
    const point = new Uint8Array(Buffer.from(siteKey(server.deps.secret).point, 'base64url'));
    const sealedOf = async (what: object) =>
      Buffer.from(await sealAnswers(point, what)).toString('base64url');
    const send = async (what: object) =>
      bringAnswers(server.deps, { sealed: await sealedOf(what), user_agent: 'Mozilla/5.0 (iPhone)' });
    const queue = () => server.deps.db.selectFrom('notifications').select(['type', 'payload']).execute();
    const uses = async () =>
      (
        await server.deps.db
          .selectFrom('tokens')
          .select('accessi_usati')
          .where('id', '=', code.id)
          .executeTakeFirst()
      )?.accessi_usati;
    return { server, code, told, send, sealedOf, queue, uses };
  }

  test('are stored once, as a visit that spends no use, and told once', async () => {
    const { server, code, told, send, queue, uses } = await prepared();
    server.clock.advance(3_600_000);
    expect(await Promise.all([send(told), send(told)])).toEqual([{}, {}]);
    const whole = {
      ...told,
      completed_at: new Date(server.clock.now().getTime() - 60_000).toISOString(),
      answers: [...told.answers, { viaggio: 2, risposta_1: true, risposta_2: true }],
    };
    expect(await send(whole)).toEqual({});
    // What comes late says less, and changes nothing.
    expect(await send(told)).toEqual({});
    expect(await send({ ...whole, answers: [{ viaggio: 1, risposta_1: false, risposta_2: false }] })).toEqual(
      {},
    );

    const { terminate, attive } = await listSessions(server.deps, server.actor);
    expect(attive).toEqual([]);
    expect(terminate).toMatchObject([
      {
        id: told.id,
        piano_b: true,
        token_value: code.token,
        started_at: told.started_at,
        completed_at: whole.completed_at,
        state: 'ended',
      },
    ]);
    expect(
      (await listAnswers(server.deps, server.actor)).toSorted((a, b) => a.viaggio - b.viaggio),
    ).toMatchObject([
      {
        session_id: told.id,
        piano_b: true,
        viaggio: 1,
        domanda_1: 'Chiesto allora?',
        risposta_1: true,
        risposta_2: false,
      },
      { session_id: told.id, piano_b: true, viaggio: 2, risposta_1: true, risposta_2: true },
    ]);
    expect(await uses()).toBe(0);
    const told_of = await queue();
    expect(told_of.map(({ type }) => type)).toEqual(['checkbox_response', 'checkbox_response']);
    const notification = JSON.parse(told_of[0]?.payload ?? '');
    const since = server.clock.now().toISOString();
    const letter = { notifications: [notification], count: 1, since, uncertain: false };
    expect(notificationText(letter, server.clock.now(), 'telegram')).toContain('Dal piano B');
    await server.close();
  });

  test('leave the visit at the last question that was answered, or at its end; no moment is later than now', async () => {
    const { server, told, send } = await prepared();
    const now = server.clock.now().toISOString();
    const later = new Date(server.clock.now().getTime() + 3_600_000).toISOString();
    const rowOf = (id: string) =>
      server.deps.db
        .selectFrom('active_sessions')
        .select(['step', 'started_at', 'last_activity', 'completed_at', 'disconnected_at', 'is_active'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
    const [only] = told.answers;
    const ids = [randomUUID(), randomUUID()] as const;
    expect(await send({ ...told, id: ids[0], started_at: later })).toEqual({});
    expect(await send({ ...told, id: ids[1], answers: [only, { ...only, viaggio: 2 }] })).toEqual({});
    const { terminate } = await listSessions(server.deps, server.actor);
    const stages = terminate[0]?.stages ?? [];
    const questions = stages.flatMap(({ stage }, place) => (stage === 'questions' ? [place] : []));
    const open = {
      started_at: now,
      last_activity: now,
      completed_at: null,
      disconnected_at: now,
      is_active: false,
    };
    expect([await rowOf(ids[0]), await rowOf(ids[1])]).toEqual(questions.map((step) => ({ ...open, step })));
    // The end that comes afterwards is noted, and stays.
    expect(await send({ ...told, id: ids[0], completed_at: later })).toEqual({});
    const ended = { ...open, step: stages.length - 1, completed_at: now };
    expect(await rowOf(ids[0])).toEqual(ended);
    server.clock.advance(1_000);
    expect(await send({ ...told, id: ids[0], completed_at: server.clock.now().toISOString() })).toEqual({});
    expect(await rowOf(ids[0])).toEqual(ended);
    const { visite } = await server.deps.db
      .selectFrom('visits_by_day')
      .select((eb) => eb.fn.sum<number>('visite').as('visite'))
      .executeTakeFirstOrThrow();
    expect(Number(visite)).toBe(2);
    await server.close();
  });

  test('of a code that was revoked or deleted are refused, and nothing of them stays', async () => {
    const { server, code, told, send, queue } = await prepared();
    await setTokenActive(server.deps, server.actor, { id: code.id, attivo: false });
    expect(await send(told)).toEqual({ refused: 'PLAN_B_CODE_GONE' });
    await removeToken(server.deps, server.actor, { id: code.id });
    expect(await send(told)).toEqual({ refused: 'PLAN_B_CODE_GONE' });
    expect((await listSessions(server.deps, server.actor)).terminate).toEqual([]);
    expect(await listAnswers(server.deps, server.actor)).toEqual([]);
    expect(await queue()).toEqual([]);
    await server.close();
  });

  test('that were not sealed for this site, were changed, or take somebody’s visit are refused', async () => {
    const { server, told, send, sealedOf } = await prepared();
    const unreadable = { refused: 'PLAN_B_UNREADABLE' };
    const bring = (sealed: string) => bringAnswers(server.deps, { sealed, user_agent: '' });
    const sealed = await sealedOf(told);
    expect(await bring(`${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`)).toEqual(unreadable);
    const foreign = new Uint8Array(Buffer.from(siteKey(Buffer.alloc(32, 1)).point, 'base64url'));
    expect(await bring(Buffer.from(await sealAnswers(foreign, told)).toString('base64url'))).toEqual(
      unreadable,
    );
    for (const wrong of ['AAAA', 'A'.repeat(200)]) expect(await bring(wrong)).toEqual(unreadable);
    expect(await send({ ...told, answers: [] })).toEqual(unreadable);
    expect(await send({ ...told, more: 1 })).toEqual(unreadable);
    expect(await send(told)).toEqual({});
    const other = await makeCode(server);
    expect(await send({ ...told, token_id: other.id })).toEqual(unreadable);
    expect(await listAnswers(server.deps, server.actor)).toHaveLength(1);
    // Sealed, yes and no are as long as each other.
    const no = await sealedOf({ ...told, answers: [{ viaggio: 1, risposta_1: false, risposta_2: false }] });
    expect(no).toHaveLength(sealed.length);
    await server.close();
  });
});
