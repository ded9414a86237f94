import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DIAGNOSIS } from '../../src/domain/diagnosis.ts';
import { saveFindings, verifyDiagnosisPass } from '../../src/server/features/diagnosis/diagnosis.ts';
import { isRefused } from '../../src/server/refused.ts';
import { createClock } from '../support/deps.ts';
import { type Answered, call } from '../support/http.ts';
import { type Evening, ok, prepareEvening } from '../support/http-evening.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let evening: Evening;
const clock = createClock(new Date().toISOString());
beforeAll(async () => {
  server = await startServer({ now: clock.now });
  evening = await prepareEvening(server);
});
afterAll(() => server.stop());

type PassReply = { id: number; nome: string; pass: string; scadenza: string; public_url: string | null };

const asAdmin = (method: string, path: string, body?: unknown) =>
  call(server.url, method, path, body, { cookie: evening.admin });
const createPass = async (wish: object = {}): Promise<PassReply> =>
  ok(await asAdmin('POST', '/admin/diagnosis/pass', wish)).body;
const list = async () => ok(await asAdmin('GET', '/admin/diagnosis')).body;

const bring = (pass: string) => call(server.url, 'POST', '/diagnosis/enter', { pass });
const enterWithPass = async (wish: object = {}) => ok(await bring((await createPass(wish)).pass)).cookie;
const read = (cookie: string) => call(server.url, 'GET', '/diagnosis', undefined, { cookie });
const report = (cookie: string, body: object) =>
  call(server.url, 'POST', '/diagnosis/report', body, { cookie });
const codeOf = ({ body }: Answered) => body?.codice;
const nome = 'Il telefono di Giulia';

const FOUND = { in_app: false, mbit: 20, film: 'played', heard: 'yes', song: 'by_itself', song_heard: 'yes' };

describe('diagnosis pass', () => {
  test('is valid for a week, for the phone of one name, and is not stored', async () => {
    const reply = await createPass({ nome: `  ${nome} ` });
    expect(reply).toMatchObject({ nome, public_url: null });
    expect(Date.parse(reply.scadenza)).toBe(clock.now().getTime() + DIAGNOSIS.passMs);
    const { pass, public_url: _, ...storedPass } = reply;
    expect((await list()).passes).toEqual([storedPass]);
    expect(server.logged()).not.toContain(pass);
    // A second request returns the same pass. Another phone has its own, and a new pass replaces the one before.
    clock.advance(60_000);
    expect(await createPass({ nome })).toEqual(reply);
    const his = await createPass({ nome: 'Il mio' });
    const cookies = [ok(await bring(pass)).cookie, ok(await bring(his.pass)).cookie];
    for (const cookie of cookies) expect((await read(cookie)).status).toBe(200);
    expect((await createPass({ nome, anew: true })).id).not.toBe(reply.id);
    expect([codeOf(await bring(pass)), (await bring(his.pass)).status]).toEqual(['DIAGNOSIS_OVER', 200]);
  });

  test('is refused if it is forged, revoked, of another purpose or missing', async () => {
    const { id, pass, scadenza } = await createPass({ anew: true });
    const cookie = ok(await bring(pass)).cookie;
    const rehearsal = ok(await asAdmin('POST', '/admin/rehearsal/pass', {})).body.pass;
    const other = `${Date.parse(scadenza) + 1}${pass.slice(String(Date.parse(scadenza)).length)}`;
    for (const text of [rehearsal, other, `${pass.split('.').slice(0, 2).join('.')}.`, 'x', ''])
      expect([text, codeOf(await bring(text))]).toEqual([text, 'DIAGNOSIS_OVER']);
    // It does not open the rehearsal either.
    expect(codeOf(await call(server.url, 'POST', '/rehearsal/enter', { pass }))).toBe('REHEARSAL_OVER');

    const close = () => asAdmin('DELETE', `/admin/diagnosis/pass/${id}`);
    expect([(await close()).status, codeOf(await close())]).toEqual([200, 'NOT_FOUND']);
    for (const over of [
      await bring(pass),
      await read(cookie),
      await report(cookie, { id: randomUUID(), findings: {} }),
    ])
      expect(codeOf(over)).toBe('DIAGNOSIS_OVER');
  });
});

describe('report of a phone', () => {
  test('is stored under its name and rated when read; a second report updates the same phone', async () => {
    const cookie = await enterWithPass({ nome });
    const id = randomUUID();
    ok(await report(cookie, { id, findings: { in_app: true } }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'unknown', faults: ['in_app'] });
    ok(await report(cookie, { id, findings: FOUND }));
    const [phone, ...others] = (await list()).phones;
    expect(others).toEqual([]);
    expect(phone).toMatchObject({ id, nome, findings: FOUND, verdict: 'good' });
    expect(phone.untried).toContain('ticket');
    const forget = () => asAdmin('DELETE', `/admin/diagnosis/${id}`);
    expect([(await forget()).status, codeOf(await forget())]).toEqual([200, 'NOT_FOUND']);
    expect((await list()).phones).toEqual([]);
  });

  test('is accepted with the pass itself, from a browser that stores no cookies', async () => {
    const { pass } = await createPass();
    const id = randomUUID();
    ok(await report('', { id, findings: { cookies: false }, pass }));
    expect((await list()).phones[0]).toMatchObject({ id, verdict: 'bad', faults: ['cookies_lost'] });
    expect(codeOf(await report('', { id, findings: {}, pass: 'x' }))).toBe('DIAGNOSIS_OVER');
  });

  test('is stored for a limited number of phones and passes, the latest, with a shortened user agent', async () => {
    const { pass } = await createPass({ nome: 'Molti' });
    const owner = await verifyDiagnosisPass(server.deps, pass);
    if (isRefused(owner)) throw new Error(owner.refused);
    const user_agent = 'x'.repeat(DIAGNOSIS.userAgentSigns + 1);
    const ids: string[] = [];
    for (let phone = 0; phone < DIAGNOSIS.phones + 2; phone += 1) {
      clock.advance(1_000);
      ids.unshift(randomUUID());
      await saveFindings(server.deps, owner, { id: ids[0] ?? '', findings: {}, user_agent });
    }
    for (let phone = 0; phone < DIAGNOSIS.passes + 2; phone += 1)
      await createPass({ nome: `Telefono ${phone}` });
    const { passes, phones } = await list();
    expect(phones.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, DIAGNOSIS.phones));
    expect(phones[0].user_agent).toBe(user_agent.slice(1));
    expect(passes).toHaveLength(DIAGNOSIS.passes);
  });
});

test('reveals nothing of the evening to the phone, and not the recipient’s name', async () => {
  const entered = ok(await bring((await createPass({ nome })).pass));
  const { cookie } = entered;
  const reported = ok(await report(cookie, { id: randomUUID(), findings: FOUND }));
  for (const { text, headers } of [entered, ok(await read(cookie)), reported])
    expect([text, JSON.stringify([...headers]).includes('Giulia')]).toEqual(['{}', false]);
  for (const path of ['/rehearsal', ...Object.values(evening.media).map(({ url }) => url.slice(4))])
    expect((await call(server.url, 'GET', path, undefined, { cookie })).status).toBe(401);
});

test('refuses a pass after a week', async () => {
  const { pass, scadenza } = await createPass({ nome, anew: true });
  const { cookie } = ok(await bring(pass));
  clock.advance(Date.parse(scadenza) - clock.now().getTime() - 1);
  expect((await read(cookie)).status).toBe(200);
  clock.advance(1);
  for (const over of [await bring(pass), await read(cookie)]) expect(codeOf(over)).toBe('DIAGNOSIS_OVER');
});
