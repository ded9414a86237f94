import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIAGNOSIS } from '../../src/domain/diagnosis.ts';
import { createClock } from '../support/deps.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { hashOfAllTables } from '../support/table-hash.ts';

let server: TestServer;
let evening: Evening;
const clock = createClock(new Date().toISOString());
beforeAll(async () => {
  server = await startServer({ now: clock.now });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type Given = { id: number; nome: string; pass: string; scadenza: string; public_url: string | null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const givenPass = async (wish: object = {}): Promise<Given> =>
  ok(await asAdmin('POST', '/admin/diagnosis/pass', wish)).body;
const list = async () => ok(await asAdmin('GET', '/admin/diagnosis')).body;

const bring = (pass: string) => call(server.url, 'POST', '/diagnosis/enter', { pass });
const comeIn = async (wish: object = {}) => ok(await bring((await givenPass(wish)).pass)).cookie;
const read = (cookie = '') => call(server.url, 'GET', '/diagnosis', undefined, { cookie });
const report = (cookie: string, body: object) =>
  call(server.url, 'POST', '/diagnosis/report', body, { cookie });
const codeOf = ({ body }: Answered) => body?.codice;

const FOUND = { in_app: false, mbit: 20, film: 'played', heard: 'yes', song: 'by_itself', song_heard: 'yes' };

describe('the pass', () => {
  test('is good for a week, for the phone of one name, and stored nowhere', async () => {
    const given = await givenPass({ nome: '  Il telefono di Giulia ' });
    expect(given).toMatchObject({ nome: 'Il telefono di Giulia', public_url: null });
    expect(Date.parse(given.scadenza)).toBe(clock.now().getTime() + DIAGNOSIS.passMs);
    const { pass, public_url: _, ...kept } = given;
    expect((await list()).passes).toEqual([kept]);
    expect(server.logged()).not.toContain(pass);
    // Asked for again it is the same one; another phone's stands beside it.
    clock.advance(60_000);
    expect(await givenPass({ nome: 'Il telefono di Giulia' })).toEqual(given);
    const his = await givenPass({ nome: 'Il mio' });
    expect((await read(ok(await bring(pass)).cookie)).status).toBe(200);
    expect((await read(ok(await bring(his.pass)).cookie)).status).toBe(200);
  });

  test('gives a cookie that only the trial’s own calls carry', async () => {
    const [line = '', ...others] = (
      await bring((await givenPass({ anew: true })).pass)
    ).headers.getSetCookie();
    expect(others).toEqual([]);
    expect(line).toMatch(/^diagnosi=/);
    expect(line.split('; ').slice(1).toSorted()).toEqual([
      'HttpOnly',
      `Max-Age=${DIAGNOSIS.passMs / 1_000}`,
      'Path=/api/diagnosis',
      'SameSite=Strict',
    ]);
  });

  test('that is forged, closed, over, another purpose’s or none is refused', async () => {
    const { id, pass, scadenza } = await givenPass({ anew: true });
    const cookie = ok(await bring(pass)).cookie;
    const sealed = (purpose: string, claim: string) =>
      `${claim}.${createHmac('sha256', server.deps.secret).update(`${purpose}:${claim}`).digest('base64url')}`;
    const claim = `${Date.parse(scadenza)}.${id}`;
    const rehearsal = ok(await asAdmin('POST', '/admin/rehearsal/pass', {})).body.pass;
    const wrong = [
      sealed('rehearsal', claim),
      rehearsal,
      sealed('diagnosis', `${Date.parse(scadenza) + 1}.${id}`),
      sealed('diagnosis', `${Date.parse(scadenza)}.9999999999`),
      `${claim}.`,
      'x',
      '',
    ];
    for (const text of wrong) expect([text, codeOf(await bring(text))]).toEqual([text, 'DIAGNOSIS_OVER']);
    expect((await bring(sealed('diagnosis', claim))).status).toBe(200);
    // Nor does it open the rehearsal.
    expect(codeOf(await call(server.url, 'POST', '/rehearsal/enter', { pass }))).toBe('REHEARSAL_OVER');

    expect((await asAdmin('DELETE', `/admin/diagnosis/pass/${id}`)).status).toBe(200);
    expect(codeOf(await asAdmin('DELETE', `/admin/diagnosis/pass/${id}`))).toBe('NOT_FOUND');
    for (const answer of [
      await bring(pass),
      await read(cookie),
      await report(cookie, { id: randomUUID(), findings: {} }),
    ])
      expect(codeOf(answer)).toBe('DIAGNOSIS_OVER');
  });
});

describe('what a phone tells', () => {
  test('is kept under its name and judged when it is read; told again it is the same phone', async () => {
    const cookie = await comeIn({ nome: 'Il telefono di Giulia' });
    const id = randomUUID();
    ok(await report(cookie, { id, findings: { in_app: true } }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'unknown', faults: ['in_app'] });
    ok(await report(cookie, { id, findings: FOUND }));
    const [phone, ...others] = (await list()).phones;
    expect(others).toEqual([]);
    expect(phone).toMatchObject({ id, nome: 'Il telefono di Giulia', findings: FOUND, verdict: 'good' });
    expect(phone.untried).toContain('ticket');
    expect((await asAdmin('DELETE', `/admin/diagnosis/${id}`)).status).toBe(200);
    expect(codeOf(await asAdmin('DELETE', `/admin/diagnosis/${id}`))).toBe('NOT_FOUND');
    expect((await list()).phones).toEqual([]);
  });

  test('may come with the pass itself, from a browser that keeps no cookies', async () => {
    const { pass } = await givenPass();
    const id = randomUUID();
    ok(await report('', { id, findings: { cookies: false }, pass }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'bad', faults: ['cookies_lost'] });
    expect(codeOf(await report('', { id, findings: {}, pass: 'x' }))).toBe('DIAGNOSIS_OVER');
  });

  test('of bad form is refused and changes nothing', async () => {
    const cookie = await comeIn();
    const before = await hashOfAllTables(server.deps.db);
    const id = randomUUID();
    const wrong = [
      {},
      { id },
      { id: 'è', findings: {} },
      { id, findings: { nome: 'Giulia' } },
      { id, findings: { mbit: -1 } },
      { id, findings: { mbit: '3' } },
      { id, findings: { film: 'visto' } },
      { id, findings: { first_frame_ms: 1e9 } },
      { id, findings: FOUND, nome: 'Giulia' },
    ];
    for (const body of wrong) expect([body, codeOf(await report(cookie, body))]).toEqual([body, 'BAD_INPUT']);
    expect(await hashOfAllTables(server.deps.db)).toBe(before);
  });

  test('stays for so many phones, the latest; and so many passes', async () => {
    const cookie = await comeIn();
    const ids: string[] = [];
    for (let phone = 0; phone < DIAGNOSIS.phones + 2; phone += 1) {
      clock.advance(1_000);
      ids.push(randomUUID());
      ok(await report(cookie, { id: ids.at(-1), findings: {} }));
    }
    for (let phone = 0; phone < DIAGNOSIS.passes + 2; phone += 1)
      await givenPass({ nome: `Telefono ${phone}` });
    const { passes, phones } = await list();
    expect(phones.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed().slice(0, DIAGNOSIS.phones));
    expect(passes).toHaveLength(DIAGNOSIS.passes);
  });
});

test('no answer tells the phone anything of the evening, nor whose it is', async () => {
  const nome = 'Il telefono di Giulia';
  const { pass } = await givenPass({ nome });
  const entered = ok(await bring(pass));
  const { cookie } = entered;
  const answers = [
    entered,
    ok(await read(cookie)),
    ok(await report(cookie, { id: randomUUID(), findings: FOUND })),
  ];
  for (const { text, headers } of answers)
    expect([text, JSON.stringify([...headers]).includes('Giulia')]).toEqual(['{}', false]);
  for (const { url } of Object.values(evening.media))
    expect((await call(server.url, 'GET', url.replace('/api', ''), undefined, { cookie })).status).toBe(401);
  expect(codeOf(await call(server.url, 'GET', '/rehearsal', undefined, { cookie }))).toBe('SIGN_IN_REQUIRED');
});

test('a pass that is a week old is over', async () => {
  const { pass, scadenza } = await givenPass({ anew: true });
  const { cookie } = ok(await bring(pass));
  clock.advance(Date.parse(scadenza) - clock.now().getTime());
  expect([codeOf(await bring(pass)), codeOf(await read(cookie))]).toEqual([
    'DIAGNOSIS_OVER',
    'DIAGNOSIS_OVER',
  ]);
});
